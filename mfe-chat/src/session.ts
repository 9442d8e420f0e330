export type Session = ReturnType<typeof createSession>;

/**
 * Returns the user's session as this tab knows it, which ends once.
 * @param onEnd called when it has ended; with `"ended"` if the server ended it, or with the call that ends it
 */
export function createSession(onEnd: (why?: "ended", call?: Promise<unknown>) => void) {
  let isEnded = false;
  return {
    begin(): void {
      isEnded = false;
    },
    end(why?: "ended", call?: Promise<unknown>): void {
      if (isEnded) return;
      isEnded = true;
      onEnd(why, call);
    },
  };
}
