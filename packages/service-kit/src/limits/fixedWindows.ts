/** A rate: at most `count` uses in `seconds`. */
export interface Rate {
  count: number;
  seconds: number;
}

/**
 * Keys are user ids, addresses or names of at most about 300 bytes: 30 MB. Above this number, the oldest windows end.
 */
const KEYS_MAX = 100_000;

export type FixedWindows = ReturnType<typeof createFixedWindows>;

/** Creates fixed-window counters in memory. The window of a key begins with its first use. */
export function createFixedWindows({ count, seconds }: Rate) {
  // In order of their start, which is also the order of their end: all windows have the same length.
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
     * Counts points of a key.
     * @param points 1 by default; negative to subtract
     * @returns the points above the limit, or 0, and the milliseconds until the window ends
     */
    spend(key: string, points = 1): { excess: number; msLeft: number } {
      const now = performance.now();
      const known = windows.get(key);
      const window = known && known.endsAt > now ? known : begin(key, now);
      window.used = Math.max(0, window.used + points);
      return { excess: Math.max(0, window.used - count), msLeft: window.endsAt - now };
    },

    /** Resets the count of a key to 0. */
    forget: (key: string): boolean => windows.delete(key),
  };
}
