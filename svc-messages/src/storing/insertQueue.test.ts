import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { FinalResult } from "@messageoh/contracts/messageStream";
import { aMessage } from "../../testing/messages.ts";
import { createInsertQueue } from "./insertQueue.ts";

beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] }));
afterEach(() => jest.useRealTimers());

/** Creates a queue whose inserts a test ends one by one. */
function setUp() {
  const inserts: { texts: string[]; end: (results?: (string | undefined)[]) => void }[] = [];
  const add = createInsertQueue((batch: NewMessage[]) => {
    const { promise, resolve } = Promise.withResolvers<(FinalResult | undefined)[]>();
    const texts = batch.map(({ text }) => text);
    inserts.push({
      texts,
      end: (results = texts) => resolve(results.map((error) => (error === undefined ? error : { error }))),
    });
    return promise;
  });
  /** Resolves with the result of a message: its text, or `retry`. */
  async function put(thread_id: string, text: string): Promise<string> {
    const result = await add(aMessage({ thread_id, text }));
    return "error" in result ? result.error : Object.keys(result).join();
  }
  return { inserts, put };
}

it("starts an insert at once with the messages of one turn, and collects the next ones while it runs", async () => {
  const { inserts, put } = setUp();
  const results = [put("a", "1")];
  await nextTurn();
  results.push(put("c", "2"), put("a", "3"));
  await nextTurn();
  expect(inserts.map(({ texts }) => texts)).toEqual([["1"]]);
  await jest.advanceTimersByTimeAsync(1);
  inserts[0]?.end();
  await nextTurn();
  await nextTurn();
  expect(inserts[1]?.texts).toEqual(["2", "3"]);
  inserts[1]?.end();
  expect(await Promise.all(results)).toEqual(["1", "2", "3"]);
});

it.each([
  [1, 1, 1],
  [3, 1, 2],
  [3, 10, 10],
  [100, 10, 20],
])("starts the next insert after one of %i messages that takes %i ms at %i ms", async (count, took, next) => {
  const { inserts, put } = setUp();
  for (let index = 0; index < count; index += 1) void put(`a${index}`, "1");
  await nextTurn();
  void put("b", "2");
  const beganAt = performance.now();
  setTimeout(() => inserts[0]?.end(), took);
  while (inserts.length < 2) {
    await jest.advanceTimersByTimeAsync(1);
    await nextTurn();
  }
  expect([performance.now() - beganAt, inserts[1]?.texts]).toEqual([next, ["2"]]);
});

it("starts another insert 30 ms later while one hangs", async () => {
  const { inserts, put } = setUp();
  for (let count = 0; count < 40; count += 1) void put(`a${count}`, "hung");
  await nextTurn();
  const quiet = put("b", "quiet");
  await nextTurn();
  await jest.advanceTimersByTimeAsync(30);
  await nextTurn();
  expect(inserts.map(({ texts }) => texts.length)).toEqual([40, 1]);
  inserts[1]?.end();
  expect(await quiet).toBe("quiet");
});

it("starts another insert at once when its batch is full", async () => {
  const { inserts, put } = setUp();
  void put("a", "1");
  await nextTurn();
  for (let count = 0; count < 300; count += 1) void put(`b${count}`, "2");
  await nextTurn();
  expect(inserts.map(({ texts }) => texts.length)).toEqual([1, 256]);
});

it("runs at most four inserts, and takes about a megabyte into each", async () => {
  const { inserts, put } = setUp();
  for (let count = 0; count < 300; count += 1) void put(`a${count}`, "x".repeat(7_000));
  for (let turn = 0; turn < 6; turn += 1) {
    await nextTurn();
    await jest.advanceTimersByTimeAsync(30);
  }
  expect(inserts.map(({ texts }) => texts.length)).toEqual([47, 47, 47, 47]);
});

it("has one insert of a thread at a time, and delays no other thread", async () => {
  const { inserts, put } = setUp();
  void put("a", "1");
  await nextTurn();
  void put("a", "2");
  void put("b", "3");
  await jest.advanceTimersByTimeAsync(30);
  expect(inserts.map(({ texts }) => texts)).toEqual([["1"], ["3"]]);
  inserts[0]?.end();
  await nextTurn();
  await jest.advanceTimersByTimeAsync(30);
  expect(inserts.at(-1)?.texts).toEqual(["2"]);
});

it("lets the messages be retried of an insert that hangs for 3 seconds, and goes on with those behind them", async () => {
  const { inserts, put } = setUp();
  const hung = put("a", "1");
  await nextTurn();
  const behind = put("a", "2");
  await jest.advanceTimersByTimeAsync(3_000);
  expect(await hung).toBe("retry");
  await nextTurn();
  inserts.at(-1)?.end();
  expect(await behind).toBe("2");
});

it("lets a message without a result be retried", async () => {
  const { inserts, put } = setUp();
  const results = ["1", "2"].map((text) => put(`thread-${text}`, text));
  await nextTurn();
  inserts[0]?.end([undefined, "2"]);
  expect(await Promise.all(results)).toEqual(["retry", "2"]);
});

it.each([
  ["10,000 wait", "x", 10_000],
  ["32 MB wait", "x".repeat(333_000), 32],
])("lets messages be retried while %s, and accepts them afterwards", async (_, text, count) => {
  const { inserts, put } = setUp();
  for (let index = 0; index < count; index += 1) void put(`thread-${index}`, text);
  expect(await put("other", text)).toBe("retry");
  await nextTurn();
  const accepted = put("other", text);
  await jest.advanceTimersByTimeAsync(0);
  expect(await Promise.race([accepted, "waits"])).toBe("waits");
  expect(inserts).not.toEqual([]);
});
