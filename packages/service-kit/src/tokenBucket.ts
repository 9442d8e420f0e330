import type { Rate } from "./rateLimit.ts";

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** `count` at once, refilled by `count` in `seconds`. In the memory of this process: for what is too frequent to ask Redis. */
export function createTokenBucket({ count, seconds }: Rate, now: () => number = Date.now) {
  const perMs = count / (seconds * 1_000);
  let tokens = count;
  let at = now();

  function refill(): void {
    const moment = now();
    // A clock that was set back refills nothing.
    tokens = Math.min(count, tokens + Math.max(0, moment - at) * perMs);
    at = moment;
  }

  return {
    /** Takes one, if there is one. */
    take(): boolean {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    /** Milliseconds until there are so many. */
    msUntil(wanted: number): number {
      refill();
      return Math.max(0, Math.ceil((wanted - tokens) / perMs));
    },
  };
}
