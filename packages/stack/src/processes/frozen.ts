import { setTimeout as pause } from "node:timers/promises";

const CHECK_EVERY_MS = 2_000;
/** Time without a response after which a process counts as frozen, in milliseconds. */
export const SILENCE_MAX_MS = 30_000;

/**
 * Resolves with `true` when a process that has responded does not respond for {@link SILENCE_MAX_MS}, or with `false`
 * when it has ended. A service that has never responded may be waiting for a frozen datastore.
 */
export async function becomesFrozen(
  alive: () => Promise<boolean>,
  hasEnded: () => boolean,
  hasResponded: boolean,
): Promise<boolean> {
  let respondedAt = hasResponded ? performance.now() : Number.POSITIVE_INFINITY;
  while (!hasEnded()) {
    if (await alive()) respondedAt = performance.now();
    else if (performance.now() - respondedAt > SILENCE_MAX_MS) return !hasEnded();
    await pause(CHECK_EVERY_MS, undefined, { ref: false });
  }
  return false;
}
