import { tooMany } from "@messageoh/service-kit/errors";

const RETRY_AFTER_SECONDS = 1;

/** Runs a task when its turn comes, and returns its result. */
export type FairQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export interface FairQueueOptions {
  /** Most tasks that run at the same time, each of another key. */
  running: number;
  /** Most tasks of one key that wait. Further ones get 429. */
  waitingPerKey: number;
}

/**
 * Creates a queue for costly tasks that runs one task per key at a time, so that one user cannot block all others. It
 * rejects with 429 if too many tasks of a key wait.
 */
export function createFairQueue({ running: runningMax, waitingPerKey }: FairQueueOptions): FairQueue {
  const running = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: { key: string; start: () => void }[] = [];

  function startNext(): void {
    while (running.size < runningMax) {
      const index = waiting.findIndex(({ key }) => !running.has(key));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      running.add(next.key);
      next.start();
    }
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
    try {
      return await task();
    } finally {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      running.delete(key);
      startNext();
    }
  };
}
