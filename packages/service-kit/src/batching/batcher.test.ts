import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { BatcherBusy, type BatcherOptions, createBatcher, GIVE_UP, RETRY } from "./batcher.ts";

type Outcome = string | typeof RETRY | typeof GIVE_UP;
interface Run {
  items: string[];
  lane: string;
  /** Ends the run; by default every item succeeds. */
  end: (outcomeOf?: (item: string) => Outcome) => Promise<void>;
  fail: () => Promise<void>;
}
type Parts = Partial<Pick<BatcherOptions<string, string>, "laneOf" | "bytesOf" | "ownerOf" | "run">>;

const LIMITS = {
  batchItems: 100,
  batchBytes: 1_000,
  keyItems: 10,
  keyBytes: 1_000,
  keyWaitingItems: 1_000,
  waitingItems: 1_000,
  waitingBytes: 10_000,
  running: 1,
  itemsPerRunning: 1,
  waitMs: 10_000,
};

/** Creates a batcher whose runs the test ends. The first character of an item is its key. */
function aBatcher(limits: Partial<typeof LIMITS> = {}, parts: Parts = {}) {
  const runs: Run[] = [];
  const batcher = createBatcher<string, string>({
    name: "test",
    keyOf: ([key = ""]) => key,
    ownerOf: ([key = ""]) => key,
    bytesOf: () => 1,
    run: (items, lane) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
      runs.push({
        items,
        lane,
        end: (outcomeOf = (item) => `${item} done`) => {
          resolve(items.map(outcomeOf));
          return settled();
        },
        fail: () => {
          reject(new Error("run failed"));
          return settled();
        },
      });
      return promise;
    },
    limits: { ...LIMITS, ...limits },
    ...parts,
  });
  const results: string[] = [];
  return {
    ...batcher,
    runs,
    /** Outcomes of the added items, in the order of their arrival. */
    results,
    add: (...items: string[]) => {
      for (const item of items) {
        batcher.add(item).then(
          (result) => results.push(result),
          (error) => results.push(`${item} ${error instanceof BatcherBusy ? "busy" : error}`),
        );
      }
      return settled();
    },
    itemsOfRuns: () => runs.map(({ items }) => items.join(" ")),
  };
}
/** Waits until every batch that can start has started. */
async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(5);
}

it("runs the first item at once, and the items that arrive meanwhile as one batch afterwards", async () => {
  const { add, runs, results, itemsOfRuns, isIdle } = aBatcher();
  await add("a1");
  expect(itemsOfRuns()).toEqual(["a1"]);
  await add("b1");
  await add("a2", "c1");
  expect(runs).toHaveLength(1);
  await runs[0]?.end();
  expect(results).toEqual(["a1 done"]);
  expect(itemsOfRuns()).toEqual(["a1", "b1 c1 a2"]);
  expect(isIdle()).toBe(false);
  await runs[1]?.end();
  expect(isIdle()).toBe(true);
});

it("puts the items of one turn of the event loop into one batch", async () => {
  const { add, itemsOfRuns } = aBatcher();
  await add("a1", "b1", "a2");
  expect(itemsOfRuns()).toEqual(["a1 a2 b1"]);
});

it("keeps the order of each key and never has a key in two batches, even with retries", async () => {
  const inFlight = new Set<string>();
  let overlaps = 0;
  let failures = 30;
  const run = async (items: string[]): Promise<Outcome[]> => {
    const keys = new Set(items.map(([key = ""]) => key));
    for (const key of keys) {
      if (inFlight.has(key)) overlaps += 1;
      inFlight.add(key);
    }
    await pause(Math.random() * 5);
    for (const key of keys) inFlight.delete(key);
    const fails = () => failures > 0 && Math.random() < 0.3 && failures-- > 0;
    if (fails()) throw new Error("run failed");
    const failed = new Set<string>();
    return items.map((item) => {
      const [key = ""] = item;
      if (fails()) failed.add(key);
      return failed.has(key) ? RETRY : item;
    });
  };
  const { add, results, isIdle } = aBatcher({ running: 3, keyItems: 3, batchItems: 5 }, { run });
  const expected = Object.fromEntries([..."abcde"].map((key) => [key, [] as string[]]));
  for (let number = 1; number <= 20; number += 1) {
    for (const key of "abcde") {
      const item = `${key}${number}`;
      expected[key]?.push(item);
      await add(item);
    }
  }
  await until(isIdle);
  expect(overlaps).toBe(0);
  expect(Object.groupBy(results, ([key = ""]) => key)).toEqual(expected);
});

it("runs other keys while a key backs off, and keeps the items behind it waiting", async () => {
  const { add, runs, results } = aBatcher();
  await add("a1", "a2");
  // Each failure doubles the backoff. After six, it lasts longer than a busy machine takes for the next lines.
  for (let failures = 0; failures < 6; failures += 1) {
    await until(() => runs.length > failures);
    await runs[failures]?.end(() => RETRY);
  }
  await add("a3", "b1");
  expect(runs[6]?.items).toEqual(["b1"]);
  await runs[6]?.end();
  expect(results).toEqual(["b1 done"]);
  await until(() => runs.length === 8);
  expect(runs[7]?.items).toEqual(["a1", "a2", "a3"]);
  await runs[7]?.end();
  expect(results).toEqual(["b1 done", "a1 done", "a2 done", "a3 done"]);
});

it("retries all items of a run that rejects", async () => {
  const { add, runs, results, isIdle } = aBatcher();
  await add("a1", "b1");
  await runs[0]?.fail();
  expect(results).toEqual([]);
  for (let index = 1; !isIdle(); index += 1) {
    await until(() => runs.length > index);
    await runs[index]?.end();
  }
  expect(results.toSorted()).toEqual(["a1 done", "b1 done"]);
});

it("runs lanes independently, and chooses the lane by the failed attempts", async () => {
  const laneOf = (key: string, attempts: number) => (attempts > 0 ? `${key}-again` : key < "c" ? "low" : "high");
  const { add, runs, results } = aBatcher({}, { laneOf });
  await add("a1", "b1", "c1");
  expect(runs.map(({ lane, items }) => [lane, ...items])).toEqual([
    ["low", "a1", "b1"],
    ["high", "c1"],
  ]);
  await runs[0]?.end((item) => (item === "a1" ? RETRY : item));
  await until(() => runs.length === 3);
  expect([runs[2]?.lane, runs[2]?.items]).toEqual(["a-again", ["a1"]]);
  await runs[2]?.end();
  expect(results).toEqual(["b1", "a1 done"]);
  // After a successful retry, the key is in its first lane again.
  await add("a2");
  expect([runs[3]?.lane, runs[3]?.items]).toEqual(["low", ["a2"]]);
});

it.each([
  ["items", { batchItems: 3 }, ["a1 a2 b1", "c1 b2"]],
  ["items per key", { keyItems: 1 }, ["a1 b1 c1", "a2 b2"]],
  ["bytes per key", { keyBytes: 3 }, ["a1 b1 c1", "a2 b2"]],
  ["bytes per key, which one item may exceed", { keyBytes: 1 }, ["a1 b1 c1", "a2 b2"]],
  ["bytes", { batchBytes: 4 }, ["a1 a2", "b1 b2", "c1"]],
  ["bytes, which one item may exceed", { batchBytes: 1 }, ["a1", "b1", "c1", "a2", "b2"]],
])("limits a batch in %s", async (_, limits, batches) => {
  const { add, runs, itemsOfRuns, isIdle } = aBatcher(limits, { bytesOf: () => 2 });
  await add("a1", "a2", "b1", "b2", "c1");
  for (let index = 0; !isIdle(); index += 1) await runs[index]?.end();
  expect(itemsOfRuns()).toEqual(batches);
});

it("does not let single items wait for the batches of a key with many items", async () => {
  const { add, runs, itemsOfRuns } = aBatcher();
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
  await add(...many(20));
  await add("b1");
  expect(itemsOfRuns()).toEqual([many(10).join(" "), "b1"]);
  // The key returns to the others when few of its items are left.
  await runs[0]?.end();
  await runs[2]?.end();
  await add("a20");
  expect(itemsOfRuns()).toHaveLength(3);
  await runs[1]?.end();
  expect(itemsOfRuns()[3]).toBe("a20");
});

it("separates a key with many bytes from others, and no key with one large item", async () => {
  const { add, itemsOfRuns } = aBatcher({ batchBytes: 100_000, waitingBytes: 100_000 }, { bytesOf: () => 17_000 });
  await add("a1");
  await add("b1", "b2");
  await add("c1");
  expect(itemsOfRuns()).toEqual(["a1", "b1"]);
});

it("starts another batch only when enough items wait for each running one, up to the limit", async () => {
  const { add, itemsOfRuns } = aBatcher({ running: 3, itemsPerRunning: 2 });
  await add("a1");
  await add("b1");
  expect(itemsOfRuns()).toEqual(["a1"]);
  await add("c1");
  expect(itemsOfRuns()).toEqual(["a1", "b1 c1"]);
  await add("d1", "e1", "f1");
  expect(itemsOfRuns()).toHaveLength(2);
  await add("g1");
  expect(itemsOfRuns().slice(2)).toEqual(["d1 e1 f1 g1"]);
  await add(..."hijklmnop");
  expect(itemsOfRuns()).toHaveLength(3);
});

it("gives up an item that waited too long and all items behind it, and no others", async () => {
  const { add, runs, results, isIdle } = aBatcher({ waitMs: 300, keyItems: 1 });
  await add("a1", "b1");
  await runs[0]?.end((item) => (item === "a1" ? RETRY : item));
  await pause(50);
  await add("a2", "b2");
  for (let index = 1; !isIdle(); index += 1) {
    await until(() => runs.length > index || isIdle());
    await runs[index]?.end((item) => (item.startsWith("a") ? RETRY : item));
  }
  expect(results.toSorted()).toEqual(["a1 busy", "a2 busy", "b1", "b2"]);
  expect(runs.flatMap(({ items }) => items)).not.toContain("a2");
  await add("a3");
  await runs.at(-1)?.end();
  expect(results.at(-1)).toBe("a3 done");
});

it("gives up an item whose outcome is GIVE_UP and all items behind it, and no others", async () => {
  const { add, runs, results } = aBatcher({ keyItems: 3 });
  await add("a1", "a2", "a3", "a4", "b1");
  await runs[0]?.end((item) => (item === "a2" ? GIVE_UP : item));
  expect(results).toEqual(["a1", "a3", "a2 busy", "a4 busy", "b1"]);
  await add("a5");
  expect(runs[1]?.items).toEqual(["a5"]);
});

it("rejects items while too many wait, and accepts items afterwards", async () => {
  const { add, runs, results } = aBatcher({ waitingItems: 2 });
  await add("a1", "b1", "c1");
  expect(results).toEqual(["c1 busy"]);
  await runs[0]?.end();
  await add("c2");
  await runs[1]?.end();
  expect(results).toEqual(["c1 busy", "a1 done", "b1 done", "c2 done"]);
});

it("rejects items of a key with too many waiting items, and accepts those of others", async () => {
  const { add, runs, results } = aBatcher({ keyWaitingItems: 2 });
  await add("a1");
  await add("a2", "a3", "a4", "b1");
  expect(results).toEqual(["a4 busy"]);
  await runs[0]?.end();
  await runs[1]?.end();
  expect(results.toSorted()).toEqual(["a1 done", "a2 done", "a3 done", "a4 busy", "b1 done"]);
});

it("rejects items while too many bytes wait", async () => {
  const { add, runs, results } = aBatcher({ waitingBytes: 4 }, { bytesOf: (item) => item.length });
  await add("a1", "b1", "c1");
  expect(results).toEqual(["c1 busy"]);
  await runs[0]?.end();
  await add("c2");
  expect(runs).toHaveLength(2);
});

it("rejects a small item behind a larger one of its key that it rejected", async () => {
  const { add, runs, results } = aBatcher({ waitingBytes: 4 }, { bytesOf: (item) => item.length });
  await add("a1", "a2 large", "a3");
  expect(results).toEqual(["a3 busy"]);
  await runs[0]?.end();
  expect(results).toEqual(["a3 busy", "a1 done", "a2 large done"]);
});

it("reserves half of the places for items that are not retried", async () => {
  const { add, runs, results, isIdle } = aBatcher({ waitingItems: 6 });
  await add("a1", "b1", "c1", "d1", "e1", "f1");
  await runs[0]?.end(() => RETRY);
  expect(results).toEqual(["d1 busy", "e1 busy", "f1 busy"]);
  await add("h1", "i1", "j1");
  for (let index = 1; !isIdle(); index += 1) {
    await until(() => runs.length > index);
    await runs[index]?.end();
  }
  expect(results.slice(3).toSorted()).toEqual(["a1 done", "b1 done", "c1 done", "h1 done", "i1 done", "j1 done"]);
});

it("reserves half of the bytes for items that are not retried", async () => {
  const { add, runs, results } = aBatcher({ waitingBytes: 8 }, { bytesOf: (item) => item.length });
  await add("a1", "b1", "c1");
  await runs[0]?.end(() => RETRY);
  expect(results).toEqual(["c1 busy"]);
});

it("gives up the retried items of an owner above its share and the owner's items behind them, and no others", async () => {
  const ownerOf = (item: string) => (item.endsWith("!") ? "eve" : "ann");
  const { add, runs, results, isIdle } = aBatcher({ waitingItems: 100 }, { ownerOf });
  await add("a1!", "b1!", "c1", "c2!", "c3", "c4!");
  await runs[0]?.end(() => RETRY);
  expect(results).toEqual(["c2! busy", "c4! busy"]);
  await add("c5!");
  expect(results.at(-1)).toBe("c5! busy");
  for (let index = 1; !isIdle(); index += 1) {
    await until(() => runs.length > index);
    await runs[index]?.end();
  }
  expect(results.slice(3).toSorted()).toEqual(["a1! done", "b1! done", "c1 done", "c3 done"]);
  // The places are free again.
  await add("d1!", "e1!");
  await runs.at(-1)?.end(() => RETRY);
  expect(results).toHaveLength(7);
});

it("moves waiting keys to their new lane on reroute, and leaves running ones alone", async () => {
  let lane = "old";
  const { add, runs, reroute, results } = aBatcher({}, { laneOf: () => lane });
  await add("a1");
  await add("a2", "b1", "b2");
  lane = "new";
  reroute();
  await settled();
  expect(runs.map(({ lane, items }) => [lane, ...items])).toEqual([
    ["old", "a1"],
    ["new", "b1", "b2"],
  ]);
  await runs[1]?.end();
  await runs[0]?.end();
  expect([runs[2]?.lane, runs[2]?.items]).toEqual(["new", ["a2"]]);
  await runs[2]?.end();
  expect(results).toEqual(["b1 done", "b2 done", "a1 done", "a2 done"]);
});
