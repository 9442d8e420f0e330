import { pause } from "../../client/account.ts";

const AFTER_FAILURE_MS = 1_000;

let hasFailed = false;

/**
 * Waits until a condition holds, at most `boundMs`. Returns whether it does. After a wait in vain the run has failed, so
 * later waits are short.
 */
export async function waitUntil(isTrue: () => boolean, boundMs: number): Promise<boolean> {
  const deadline = Date.now() + (hasFailed ? Math.min(boundMs, AFTER_FAILURE_MS) : boundMs);
  while (!isTrue()) {
    if (Date.now() > deadline) {
      hasFailed = true;
      return false;
    }
    await pause(50);
  }
  return true;
}
