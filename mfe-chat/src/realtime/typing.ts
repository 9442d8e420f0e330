/** A friend who types on is told at most this often. */
const RENEW_MS = 4_000;
const PAUSE_MS = 5_000;
/** Longer than the renewal, so that it does not flicker; short enough when the end gets lost. */
const EXPIRES_MS = 7_000;

export interface TypingOptions {
  emit: (threadId: string, isTyping: boolean) => void;
  onFriendTyping: (threadId: string, isTyping: boolean) => void;
  now?: () => number;
}

export type Typing = ReturnType<typeof createTyping>;

/** Who is typing: tells the friend of the user, and the page of the friend. */
export function createTyping({ emit, onFriendTyping, now = Date.now }: TypingOptions) {
  const told = new Map<string, { at: number; pause: ReturnType<typeof setTimeout> }>();
  const expiries = new Map<string, ReturnType<typeof setTimeout>>();

  function ended(threadId: string): void {
    const own = told.get(threadId);
    if (!own) return;
    clearTimeout(own.pause);
    told.delete(threadId);
    emit(threadId, false);
  }

  return {
    /** The user pressed a key. */
    notify(threadId: string): void {
      const own = told.get(threadId);
      clearTimeout(own?.pause);
      const isDue = !own || now() - own.at >= RENEW_MS;
      if (isDue) emit(threadId, true);
      told.set(threadId, { at: isDue ? now() : own.at, pause: setTimeout(() => ended(threadId), PAUSE_MS) });
    },
    /** The message was sent, or given up. */
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
      for (const threadId of [...told.keys()]) ended(threadId);
      for (const timer of expiries.values()) clearTimeout(timer);
      expiries.clear();
    },
  };
}
