import { setImmediate as nextTurn } from "node:timers/promises";

/** Usual time that a read may take without pauses, in milliseconds. Nearly all reads take less. */
const UNPAUSED_MS = 50;
/** Length of a pause, as a multiple of the time of the part before it. */
const PAUSE_FACTOR = 4;
/**
 * Longest pause, in milliseconds: four times a part of a healthy database. If the database is slow, longer pauses would
 * make clients give up and retry.
 */
export const PAUSE_MAX_MS = 200;

/** Waits between two parts of a read. */
export type Pause = () => Promise<void>;

/** Resolves after a time in milliseconds. */
export const sleep = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms).unref());

/**
 * Creates the pauses of one read that consists of several parts. Call the returned function before each part. It
 * resolves when the part may start: in the next turn of the event loop during the first `unpausedMs` milliseconds,
 * later after a pause, so that a long read uses at most a fifth of the database's time.
 * @param wait waits for a number of milliseconds
 */
export function createPauses(wait: (ms: number) => Promise<void> = sleep, unpausedMs = UNPAUSED_MS): Pause {
  const startedAt = performance.now();
  let partStartedAt: number | undefined;
  return async () => {
    const now = performance.now();
    if (partStartedAt !== undefined) {
      if (now - startedAt < unpausedMs) await nextTurn();
      else await wait(Math.min((now - partStartedAt) * PAUSE_FACTOR, PAUSE_MAX_MS));
    }
    partStartedAt = performance.now();
  };
}

/** Returns a list in parts of at most `size` items. */
export function inParts<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
