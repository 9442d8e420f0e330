import { tooMany } from "@messageoh/service-kit/errors";

const RETRY_AFTER_SECONDS = 1;

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export interface TurnsOptions {
  /** Works that run at the same time, each of another key. */
  atOnce: number;
  /** Works of one key that may wait; one more is refused with 429. */
  waitingPerKey: number;
}

/** Makes the function that runs costly work in turns, one at a time per key, so that nobody keeps all others waiting. */
export function createTurns({ atOnce, waitingPerKey }: TurnsOptions): InTurn {
  const running = new Set<string>();
  const counts = new Map<string, number>();
  const waiting: { key: string; start: () => void }[] = [];

  function startNext(): void {
    while (running.size < atOnce) {
      const index = waiting.findIndex(({ key }) => !running.has(key));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      running.add(next.key);
      next.start();
    }
  }

  return async (key, work) => {
    const count = counts.get(key) ?? 0;
    if (count > waitingPerKey)
      throw tooMany("You are loading too fast. Please try again in a second", RETRY_AFTER_SECONDS);
    counts.set(key, count + 1);
    await new Promise<void>((start) => {
      waiting.push({ key, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
      running.delete(key);
      startNext();
    }
  };
}
