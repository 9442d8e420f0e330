export type Random = ReturnType<typeof createRandom>;

/** Returns a seeded random number generator (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    /** Returns a random item of a list that is not empty. */
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    between: (from: number, to: number): number => from + next() * (to - from),
    shuffled<T>(items: readonly T[]): T[] {
      const keyed = items.map((item) => [next(), item] as const);
      return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
    },
  };
}
