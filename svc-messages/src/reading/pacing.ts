import { setImmediate as nextTurn } from "node:timers/promises";

/** Time that a read may take without pauses. Nearly all reads take less. */
const UNPACED_MS = 50;
/** Length of a pause, as a multiple of the time of the part before it. */
const PAUSE_FACTOR = 4;
/** A part that was slow because of the database must not delay the next one for long. */
const PAUSE_MAX_MS = 1_000;

/**
 * Creates the pauses of one read that consists of several parts. The returned function is called after each part and
 * resolves when the next part may start: at once, but after the running requests, and later after a pause, so that a long
 * read uses at most a fifth of the time of the database and leaves the remaining time to everyone else.
 */
export function createPauses(): () => Promise<void> {
  const startedAt = performance.now();
  let partStartedAt = startedAt;
  return async () => {
    const now = performance.now();
    if (now - startedAt < UNPACED_MS) await nextTurn();
    else {
      const ms = Math.min((now - partStartedAt) * PAUSE_FACTOR, PAUSE_MAX_MS);
      await new Promise((resume) => setTimeout(resume, ms));
    }
    partStartedAt = performance.now();
  };
}

/** Returns a list in parts of at most `size` items. */
export function inParts<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
