import pLimit from "p-limit";
import { clientGone, tooMany } from "../http/errors.ts";
import { Counts } from "./counts.ts";
import { createPauses, PAUSE_MAX_MS, type Pause, sleep } from "./pauses.ts";

const RETRY_AFTER_SECONDS = 1;
/**
 * Most tasks that are preparing, or are prepared and wait for a place. This bounds memory and the load on other
 * services, and leaves room for calls that wait for a frozen process.
 */
const PREPARING_MAX = 200;

/**
 * Runs a task when its turn comes, and returns its result. During the task's pauses, others use its place.
 * @param isGone whether the caller has gone; such a task is not started
 * @param prepare fetches what the task needs before the task takes a place; at most {@link PREPARING_MAX} run at once
 */
export type FairQueue = <T, P = undefined>(
  key: string,
  isGone: () => boolean,
  task: (pause: Pause, prepared: P) => Promise<T>,
  prepare?: () => Promise<P>,
) => Promise<T>;

export interface FairQueueOptions {
  /** Most tasks that run at the same time, at most one per key (default: no limit). */
  working?: number;
  /** Most tasks that have started, including those that pause (default: `working`). Their results are in memory. */
  begun?: number;
  /** Most tasks of one key that wait. Further ones get 429. */
  waitingPerKey: number;
  /** Pause of a key after a task, as a multiple of the time the task took, up to {@link PAUSE_MAX_MS} (default: 0). */
  pauseFactor?: number;
  /** Time of a task without pauses, in milliseconds (default: that of {@link createPauses}). */
  unpausedMs?: number;
}

/**
 * Creates a queue for costly tasks that runs one task per key at a time, so that one user cannot block all others. It
 * rejects with 429 if too many tasks of a key wait. Pauses leave time for everyone else, even if no other task waits.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { working: workingMax = Infinity, begun: begunMax = workingMax, waitingPerKey, pauseFactor = 0 } = options;
  /** For each key, the end of its last task and of the pause after it. */
  const lastEnds = new Map<string, Promise<void>>();
  const counts = new Counts();
  const places = createPlaces(workingMax, begunMax);
  const preparing = pLimit(PREPARING_MAX);

  /** Resolves when the earlier tasks of a key have ended, with a function that ends this one. */
  async function waitForKey(key: string): Promise<(tookMs: number) => void> {
    const before = lastEnds.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    lastEnds.set(key, promise);
    counts.add(key, 1);
    await before;
    return (tookMs) => {
      counts.add(key, -1);
      const release = () => {
        resolve();
        if (lastEnds.get(key) === promise) lastEnds.delete(key);
      };
      const pauseMs = Math.min(tookMs * pauseFactor, PAUSE_MAX_MS);
      if (pauseMs > 0) setTimeout(release, pauseMs).unref();
      else release();
    };
  }

  return async (key, isGone, task, prepare) => {
    // One task runs, the others wait.
    if (counts.of(key) > waitingPerKey)
      throw tooMany("Too many requests at the same time. Please try again in a second", RETRY_AFTER_SECONDS);
    const end = await waitForKey(key);
    let tookMs = 0;
    const timed = async <R>(work: () => Promise<R>): Promise<R> => {
      // A client that gives up and asks again would otherwise take the time of clients that still wait.
      if (isGone()) throw clientGone();
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        tookMs += performance.now() - startedAt;
      }
    };
    try {
      const prepared = await preparing(async () => {
        const result = prepare && (await timed(prepare));
        await places.enter();
        return result;
      });
      try {
        return await timed(() =>
          task(createPauses(places.pause, options.unpausedMs), prepared as Parameters<typeof task>[1]),
        );
      } finally {
        places.leave();
      }
    } finally {
      end(tookMs);
    }
  };
}

/** Creates the places of tasks that work at the same time. While a task pauses, others use its place. */
function createPlaces(workingMax: number, begunMax: number) {
  const waiting: { begins: boolean; start: () => void }[] = [];
  let begun = 0;
  let working = 0;

  function startNext(): void {
    while (working < workingMax) {
      const index = waiting.findIndex(({ begins }) => !begins || begun < begunMax);
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      if (next.begins) begun += 1;
      working += 1;
      next.start();
    }
  }

  function take(begins: boolean): Promise<void> {
    return new Promise((start) => {
      waiting.push({ begins, start });
      startNext();
    });
  }

  return {
    /** Resolves when a task may begin. */
    enter: () => take(true),
    /** Resolves after a time in milliseconds, when a task may continue. */
    async pause(ms: number): Promise<void> {
      working -= 1;
      startNext();
      await sleep(ms);
      await take(false);
    },
    /** Ends a task. */
    leave(): void {
      begun -= 1;
      working -= 1;
      startNext();
    },
  };
}
