const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** Returns the backoff in ms after consecutive failures: 1 s doubling to 30 s, of which jitter removes up to half. */
export function backoffMs(failures: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return full * (0.5 + Math.random() / 2);
}
