/** Minimum time between two typing events. */
const RENEW_MS = 4_000;
const PAUSE_MS = 5_000;
/** Longer than the renewal, to avoid flicker; short enough if the end event is lost. */
const EXPIRES_MS = 7_000;

export interface TypingOptions {
  emit: (threadId: string, isTyping: boolean) => void;
  onFriendTyping: (threadId: string, isTyping: boolean) => void;
}

export type Typing = ReturnType<typeof createTyping>;

/** Sends the user's typing to the friend and tracks the friends' typing. */
export function createTyping({ emit, onFriendTyping }: TypingOptions) {
  const announced = new Map<string, { at: number; pause: ReturnType<typeof setTimeout> }>();
  const expiries = new Map<string, ReturnType<typeof setTimeout>>();

  function ended(threadId: string): void {
    const own = announced.get(threadId);
    if (!own) return;
    clearTimeout(own.pause);
    announced.delete(threadId);
    emit(threadId, false);
  }

  return {
    /** Call on every input. */
    notify(threadId: string): void {
      const own = announced.get(threadId);
      clearTimeout(own?.pause);
      const now = performance.now();
      const isDue = !own || now - own.at >= RENEW_MS;
      if (isDue) emit(threadId, true);
      announced.set(threadId, { at: isDue ? now : own.at, pause: setTimeout(() => ended(threadId), PAUSE_MS) });
    },
    /** Call when the message is sent or discarded. */
    ended,
    receive(threadId: string, isTyping: boolean): void {
      clearTimeout(expiries.get(threadId));
      expiries.delete(threadId);
      if (isTyping)
        expiries.set(
          threadId,
          setTimeout(() => onFriendTyping(threadId, false), EXPIRES_MS),
        );
      onFriendTyping(threadId, isTyping);
    },
    stop(): void {
      for (const threadId of [...announced.keys()]) ended(threadId);
      for (const timer of expiries.values()) clearTimeout(timer);
      expiries.clear();
    },
  };
}
