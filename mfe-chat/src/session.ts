export type Session = ReturnType<typeof createSession>;

/**
 * Returns the user's session as this tab knows it, which ends once.
 * @param onEnd called when it has ended; with `"ended"` if the server ended it, or with the call that ends it
 */
export function createSession(onEnd: (why?: "ended", call?: Promise<unknown>) => void) {
  let isEnded = false;
  let isLeaving = false;
  return {
    isEnded: () => isEnded,
    begin(): void {
      isEnded = false;
    },
    /** The chat is closed: what arrives later must not end the session of the next user. */
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
