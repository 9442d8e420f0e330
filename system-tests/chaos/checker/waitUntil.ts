import { until } from "@messageoh/stack/ports";

const AFTER_FAILURE_MS = 1_000;

let hasFailed = false;

/**
 * Waits until a condition holds, at most `boundMs`. Returns whether it does. After a failed wait the run has failed, so
 * later waits are short.
 */
export async function waitUntil(isTrue: () => boolean, boundMs: number): Promise<boolean> {
  const isMet = await until(isTrue, hasFailed ? Math.min(boundMs, AFTER_FAILURE_MS) : boundMs);
  hasFailed ||= !isMet;
  return isMet;
}
