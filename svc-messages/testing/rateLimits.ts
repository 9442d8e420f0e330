import { createLimits, type LimitRates, RATE_LIMITS } from "../src/rateLimits.ts";

const PLENTY = { count: 1_000_000, seconds: 1 };

/**
 * Returns limits that no test reaches.
 * @param rates lower rates of some limits
 */
export function generousLimits(rates: Partial<LimitRates> = {}) {
  const plenty = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, PLENTY])) as LimitRates;
  return createLimits({ ...plenty, ...rates });
}
