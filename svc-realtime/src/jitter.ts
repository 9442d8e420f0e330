/** Requests per second that the clients of one instance make together after an interruption. */
const REQUESTS_PER_SECOND = 200;
/** Longest time, in milliseconds: what a client has missed stays missing until its request. */
const MAX_MS = 30_000;

/**
 * Returns the longest random delay after which each client of this instance makes one request, in milliseconds.
 * @param leastMs the longest delay if there are few clients
 */
export const jitterMs = (clients: number, leastMs: number): number =>
  Math.min(MAX_MS, Math.max(leastMs, Math.ceil((clients / REQUESTS_PER_SECOND) * 1_000)));
