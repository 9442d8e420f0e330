/** At most `count` in `seconds`. */
export interface Rate {
  count: number;
  seconds: number;
}

/** Keys are user ids, addresses or names of at most about 300 bytes: 30 MB. Beyond it the oldest windows end early. */
const KEYS_MAX = 100_000;

export type Windows = ReturnType<typeof createWindows>;

/** Creates counters in the memory of this process: one window of time per key, which begins with the key's first use. */
export function createWindows({ count, seconds }: Rate) {
  // All windows are equally long, so the order in which they began is the order in which they end.
  const windows = new Map<string, { used: number; endsAt: number }>();

  function begin(key: string, now: number) {
    windows.delete(key);
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < KEYS_MAX) break;
      windows.delete(oldest);
    }
    const window = { used: 0, endsAt: now + seconds * 1_000 };
    windows.set(key, window);
    return window;
  }

  return {
    /**
     * Counts `points` of a key, which may be negative to give some back.
     * @returns how many points the key is over its limit, 0 if it is not, and the milliseconds until its window ends
     */
    spend(key: string, points = 1): { excess: number; msLeft: number } {
      const now = Date.now();
      const known = windows.get(key);
      const window = known && known.endsAt > now ? known : begin(key, now);
      window.used = Math.max(0, window.used + points);
      return { excess: Math.max(0, window.used - count), msLeft: window.endsAt - now };
    },

    /** Counts a key from nought again. */
    forget: (key: string): boolean => windows.delete(key),
  };
}
