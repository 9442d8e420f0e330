import { tooMany } from "@messageoh/service-kit/errors";

const RETRY_AFTER_SECONDS = 1;
/** A task that was slow because of a failed dependency must not delay the next one for long. */
const REST_MAX_MS = 1_000;

/** Runs a task when its turn comes, and returns its result. */
export type FairQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export interface FairQueueOptions {
  /** Most tasks that run at the same time, each of another key. */
  running: number;
  /** Most tasks of one key that wait. Further ones get 429. */
  waitingPerKey: number;
  /** Time that a key rests after a task, as a multiple of the time the task took, up to a second. By default none. */
  restFactor?: number;
}

/**
 * Creates a queue for costly tasks that runs one task per key at a time, so that one user cannot block all others. It
 * rejects with 429 if too many tasks of a key wait. Rests leave time for everyone else, also without other tasks.
 */
export function createFairQueue({ running: runningMax, waitingPerKey, restFactor = 0 }: FairQueueOptions): FairQueue {
  const running = new Set<string>();
  const resting = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: { key: string; start: () => void }[] = [];

  function startNext(): void {
    while (running.size < runningMax) {
      const index = waiting.findIndex(({ key }) => !running.has(key) && !resting.has(key));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      running.add(next.key);
      next.start();
    }
  }

  function rest(key: string, ms: number): void {
    if (ms === 0) return;
    resting.add(key);
    setTimeout(
      () => {
        resting.delete(key);
        startNext();
      },
      Math.min(ms, REST_MAX_MS),
    ).unref();
  }

  return async (key, task) => {
    const count = counts.get(key) ?? 0;
    if (count > waitingPerKey)
      throw tooMany("You are loading too fast. Please try again in a second", RETRY_AFTER_SECONDS);
    counts.set(key, count + 1);
    await new Promise<void>((start) => {
      waiting.push({ key, start });
      startNext();
    });
    const startedAt = performance.now();
    try {
      return await task();
    } finally {
      rest(key, (performance.now() - startedAt) * restFactor);
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      running.delete(key);
      startNext();
    }
  };
}
