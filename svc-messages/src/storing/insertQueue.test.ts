import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewMessage } from "@messageoh/contracts/messages";
import { aMessage } from "../../testing/messages.ts";
import { createInsertQueue } from "./insertQueue.ts";

beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] }));
afterEach(() => jest.useRealTimers());

/** Creates a queue whose inserts a test ends one by one. */
function setUp() {
  const inserts: { texts: string[]; end: (results?: (string | undefined)[]) => void }[] = [];
  const add = createInsertQueue<string>((batch: NewMessage[]) => {
    const { promise, resolve } = Promise.withResolvers<(string | undefined)[]>();
    const texts = batch.map(({ text }) => text);
    inserts.push({ texts, end: (results = texts) => resolve(results) });
    return promise;
  });
  const put = (thread_id: string, text: string) => add(aMessage({ thread_id, text })).catch((error) => error.message);
  return { inserts, put };
}

it("starts an insert at once with the messages of one turn, and collects the next ones while it runs", async () => {
  const { inserts, put } = setUp();
  const results = [put("a", "1"), put("b", "2")];
  await nextTurn();
  results.push(put("c", "3"), put("a", "4"));
  await nextTurn();
  expect(inserts.map(({ texts }) => texts)).toEqual([["1", "2"]]);
  inserts[0]?.end();
  await nextTurn();
  await nextTurn();
  expect(inserts[1]?.texts).toEqual(["3", "4"]);
  inserts[1]?.end();
  expect(await Promise.all(results)).toEqual(["1", "2", "3", "4"]);
});

it("starts another insert 30 ms later, although one hangs", async () => {
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

it("rejects the messages of an insert that hangs for 3 seconds, and those behind them, and goes on", async () => {
  const { inserts, put } = setUp();
  const hung = put("a", "1");
  await nextTurn();
  const behind = put("a", "2");
  await jest.advanceTimersByTimeAsync(3_000);
  expect(await Promise.all([hung, behind])).toEqual(["Not stored", "Behind a message that is not stored"]);
  const again = put("a", "1");
  await nextTurn();
  inserts.at(-1)?.end();
  expect(await again).toBe("1");
});

it("rejects what is behind a message without a result", async () => {
  const { inserts, put } = setUp();
  const results = ["1", "2", "3"].map((text) => put("a", text));
  const other = put("b", "4");
  await nextTurn();
  results.push(put("a", "5"));
  inserts[0]?.end(["1", undefined, undefined, "4"]);
  expect(await Promise.all(results)).toEqual(["1", "Not stored", "Not stored", "Behind a message that is not stored"]);
  expect(await other).toBe("4");
});

it("takes at most 16 messages and about 16 kB of one thread into an insert", async () => {
  const { inserts, put } = setUp();
  for (let count = 0; count < 100; count += 1) void put("busy", "x");
  for (let count = 0; count < 10; count += 1) void put("long", "x".repeat(4_000));
  void put("quiet", "quiet");
  await nextTurn();
  const [{ texts } = { texts: [] }] = inserts;
  expect([texts.filter((text) => text === "x").length, texts.filter((text) => text.length > 100).length]).toEqual([
    16, 1,
  ]);
  expect(texts).toContain("quiet");
});

it("rejects messages while 5,000 wait, or 1,000 of one thread", async () => {
  const { put } = setUp();
  void put("busy", "first");
  await nextTurn();
  for (let count = 0; count < 1_000; count += 1) void put("busy", "x");
  expect(await put("busy", "too many")).toBe("Queue full");
  for (let count = 0; count < 3_999; count += 1) void put(`thread-${count}`, "x");
  expect(await put("other", "too many")).toBe("Queue full");
  await jest.advanceTimersByTimeAsync(60_000);
});
