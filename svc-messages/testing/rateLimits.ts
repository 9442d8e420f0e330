import { createLimits, type LimitRates, RATE_LIMITS } from "../src/rateLimits.ts";

const PLENTY = { count: 1_000_000, seconds: 1 };

/** Creates limits that no test meets, but for the given ones. */
export function generousLimits(rates: Partial<LimitRates> = {}) {
  const plenty = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, PLENTY])) as LimitRates;
  return createLimits({ ...plenty, ...rates });
}
