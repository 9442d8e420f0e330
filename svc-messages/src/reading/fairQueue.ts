import { HttpError, tooMany } from "@messageoh/service-kit/errors";
import { createPauses, PAUSE_MAX_MS, type Pause, sleep } from "./pacing.ts";

const RETRY_AFTER_SECONDS = 1;

/**
 * Runs a task when its turn comes, and returns its result. During the task's pauses, others use its place.
 * @param isGone whether nobody waits for the result any more; such a task is not begun
 */
export type FairQueue = <T>(key: string, isGone: () => boolean, task: (pause: Pause) => Promise<T>) => Promise<T>;

export interface FairQueueOptions {
  /** Most tasks that work at the same time, each of another key. */
  working: number;
  /** Most tasks that have begun: those that work or rest, and what they have read is in memory. */
  begun: number;
  /** Most tasks of one key that wait. Further ones get 429. */
  waitingPerKey: number;
  /** Pause of a key after a task, as a multiple of the time the task took, up to {@link PAUSE_MAX_MS}. */
  pauseFactor: number;
}

/**
 * Creates a queue for costly tasks that runs one task per key at a time, so that one user cannot block all others. It
 * rejects with 429 if too many tasks of a key wait. Pauses leave time for everyone else, also without other tasks.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const begun = new Set<string>();
  const paused = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: { mayStart: () => boolean; start: () => void }[] = [];
  let working = 0;

  function startNext(): void {
    while (working < options.working) {
      const index = waiting.findIndex(({ mayStart }) => mayStart());
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      working += 1;
      next.start();
    }
  }

  /** Resolves when a task may begin or continue. */
  function turn(mayStart: () => boolean, onStart: () => void): Promise<void> {
    return new Promise((resolve) => {
      const start = () => {
        onStart();
        resolve();
      };
      waiting.push({ mayStart, start });
      startNext();
    });
  }

  async function rest(ms: number): Promise<void> {
    working -= 1;
    startNext();
    await sleep(ms);
    await turn(
      () => true,
      () => undefined,
    );
  }

  function end(key: string, tookMs: number): void {
    working -= 1;
    begun.delete(key);
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
    const pauseMs = Math.min(tookMs * options.pauseFactor, PAUSE_MAX_MS);
    if (pauseMs > 0) {
      paused.add(key);
      void sleep(pauseMs).then(() => {
        paused.delete(key);
        startNext();
      });
    }
    startNext();
  }

  return async (key, isGone, task) => {
    const count = counts.get(key) ?? 0;
    if (count > options.waitingPerKey)
      throw tooMany("You are loading too fast. Please try again in a second", RETRY_AFTER_SECONDS);
    counts.set(key, count + 1);
    await turn(
      () => begun.size < options.begun && !begun.has(key) && !paused.has(key),
      () => begun.add(key),
    );
    const startedAt = performance.now();
    try {
      // Without this, tasks of clients that have given up and ask again would take the time of those who still wait.
      if (isGone()) throw new HttpError(499, "The client closed the request");
      return await task(createPauses(rest));
    } finally {
      end(key, performance.now() - startedAt);
    }
  };
}
