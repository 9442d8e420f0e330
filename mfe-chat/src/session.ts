export type Session = ReturnType<typeof createSession>;

/**
 * Returns the user's session as this tab knows it, which ends once.
 * @param onEnd called when it has ended; with `"ended"` if the server ended it
 */
export function createSession(onEnd: (why?: "ended") => void) {
  let isEnded = false;
  return {
    begin(): void {
      isEnded = false;
    },
    end(why?: "ended"): void {
      if (isEnded) return;
      isEnded = true;
      onEnd(why);
    },
  };
}
