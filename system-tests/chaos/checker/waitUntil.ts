import { pause } from "../../client/account.ts";

/** Waits until a condition holds, at most `boundMs`. Returns whether it does. */
export async function waitUntil(isTrue: () => boolean, boundMs: number): Promise<boolean> {
  const deadline = Date.now() + boundMs;
  while (!isTrue()) {
    if (Date.now() > deadline) return false;
    await pause(50);
  }
  return true;
}
