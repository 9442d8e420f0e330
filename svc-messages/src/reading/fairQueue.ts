import { tooMany } from "@messageoh/service-kit/errors";

const RETRY_AFTER_SECONDS = 1;
/** A task that was slow because of a failed dependency must not delay the next one for long. */
const PAUSE_MAX_MS = 1_000;

/** Runs a task when its turn comes, and returns its result. */
export type FairQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export interface FairQueueOptions {
  /** Most tasks that run at the same time, each of another key. */
  running: number;
  /** Most tasks of one key that wait. Further ones get 429. */
  waitingPerKey: number;
  /** Pause of a key after a task, as a multiple of the time the task took, up to a second. By default none. */
  pauseFactor?: number;
}

/**
 * Creates a queue for costly tasks that runs one task per key at a time, so that one user cannot block all others. It
 * rejects with 429 if too many tasks of a key wait. Pauses leave time for everyone else, also without other tasks.
 */
export function createFairQueue({ running: runningMax, waitingPerKey, pauseFactor = 0 }: FairQueueOptions): FairQueue {
  const running = new Set<string>();
  const paused = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: { key: string; start: () => void }[] = [];

  function startNext(): void {
    while (running.size < runningMax) {
      const index = waiting.findIndex(({ key }) => !running.has(key) && !paused.has(key));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      running.add(next.key);
      next.start();
    }
  }

  function pause(key: string, ms: number): void {
    if (ms === 0) return;
    paused.add(key);
    setTimeout(
      () => {
        paused.delete(key);
        startNext();
      },
      Math.min(ms, PAUSE_MAX_MS),
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
      pause(key, (performance.now() - startedAt) * pauseFactor);
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      running.delete(key);
      startNext();
    }
  };
}
