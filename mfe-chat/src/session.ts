export type Session = ReturnType<typeof createSession>;

/**
 * Returns the user's session as this tab knows it, which ends once.
 * @param onLoggedOut called when it has ended; with `"ended"` if the server ended it
 */
export function createSession(onLoggedOut: (why?: "ended") => void) {
  let isEnded = false;
  const listeners: (() => void)[] = [];
  return {
    begin(): void {
      isEnded = false;
    },
    /** Calls a function when the session ends, before the shell learns of it. */
    onEnd: (listener: () => void) => void listeners.push(listener),
    end(why?: "ended"): void {
      if (isEnded) return;
      isEnded = true;
      for (const listener of listeners) listener();
      onLoggedOut(why);
    },
  };
}
