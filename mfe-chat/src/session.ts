export type Session = ReturnType<typeof createSession>;

/** Called when a session has ended: with `"ended"` if the server ended it, or with the call that ends it. */
type EndListener = (why?: "ended", call?: Promise<unknown>) => void;

/** Returns the user's session as this tab knows it, which ends once. */
export function createSession() {
  let onEnd: EndListener = () => {};
  let isEnded = false;
  let isLeaving = false;
  return {
    isEnded: () => isEnded,
    onEnd(listener: EndListener): void {
      onEnd = listener;
    },
    begin(): void {
      isEnded = false;
    },
    /** Call when the chat is closed, so that a late response cannot end the session of the next user. */
    close(): void {
      isEnded = true;
    },
    end(why?: "ended", call?: Promise<unknown>): void {
      if (isEnded || (isLeaving && why === "ended")) return;
      isEnded = true;
      onEnd(why, call);
    },
    /**
     * Waits for the user's call that ends the session: the server reports this end before it responds. Rejects as the
     * call does.
     */
    async leaveWith(call: Promise<unknown>): Promise<void> {
      isLeaving = true;
      try {
        await call;
      } finally {
        isLeaving = false;
      }
    },
  };
}
