import { Busy } from "./busy.ts";

interface CombineLimits {
  /** Largest number of items of one call. */
  itemsMax: number;
  /** Largest number of items that wait for a call. */
  waitingMax: number;
  /** Calls at the same time. */
  running: number;
}

/**
 * Returns a function for one item that combines items into calls of `run`: the items of one turn of the event loop, and
 * those that arrive while the largest number of calls runs. It neither retries nor keeps an order.
 * @param run resolves with one result per item; if it rejects, all items of the call reject
 * @returns a function that rejects with {@link Busy} if too many items wait
 */
export function combineCalls<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { itemsMax, waitingMax, running }: CombineLimits,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let calls = 0;
  let isScheduled = false;

  async function call(): Promise<void> {
    const batch = waiting.splice(0, itemsMax);
    calls += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("Number of results differs from number of items");
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    calls -= 1;
    start();
  }

  function start(): void {
    while (waiting.length > 0 && calls < running) void call();
  }

  return (item) => {
    if (waiting.length >= waitingMax) return Promise.reject(new Busy("Too many waiting items"));
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isScheduled || calls >= running) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        start();
      });
    });
  };
}
