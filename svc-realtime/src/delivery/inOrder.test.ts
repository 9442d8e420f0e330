import type { Message } from "@messageoh/contracts/messages";
import { readMetrics } from "@messageoh/service-kit/metrics";
import { parseMetrics, sumOf } from "@messageoh/service-kit/metricsText";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { eventually, pause } from "../../testing/realtime.ts";
import { createInOrder, WAITS } from "./inOrder.ts";

const aMessage = (seq: number, thread_id = "ann-bob") => ({ id: `${thread_id}-${seq}`, thread_id, seq }) as Message;

/** A database that holds the messages with these numbers, and all that is released. */
function aGate(stored: number[] = [], waits: typeof WAITS = WAITS) {
  const released: string[] = [];
  const database = {
    stored,
    /** Numbers whose messages are of no use without their events. */
    onlyByEvent: [] as number[],
    asked: [] as [after: number, before: number][],
    answer: async (after: number, before: number) =>
      database.stored.filter((seq) => seq > after && seq < before).map((seq) => aMessage(seq)),
  };
  const inOrder = createInOrder<{ message: Message }>({
    release: (userId, { message }) => released.push(`${userId} ${message.id}`),
    fetchBetween(_, after, before) {
      database.asked.push([after, before]);
      return database.answer(after, before);
    },
    toArrival: (_, message) => (database.onlyByEvent.includes(message.seq) ? null : { message }),
    logger: silentLogger,
    waits,
  });
  const push = (...numbers: number[]) => {
    for (const seq of numbers) inOrder.push("bob", { message: aMessage(seq) });
  };
  const numbers = () => released.map((text) => Number(text.split("-").at(-1)));
  return { inOrder, push, released, numbers, database };
}

const countOf = async (outcome: string) =>
  sumOf(parseMetrics((await readMetrics()).text), "messageoh_realtime_gaps_total", { outcome });
/** How many gaps ended in each way since the test began. */
async function outcomes(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    OUTCOMES.map(async (outcome) => [outcome, (await countOf(outcome)) - (before.get(outcome) ?? 0)] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
const OUTCOMES = ["arrived", "fetched", "absent", "given up"];
const before = new Map<string, number>();
beforeEach(async () => {
  for (const outcome of OUTCOMES) before.set(outcome, await countOf(outcome));
});

it("releases what comes in order at once, from whatever number on", () => {
  const { push, numbers } = aGate();
  push(41, 42, 43);
  expect(numbers()).toEqual([41, 42, 43]);
});

it("releases at once what comes again or below the first", () => {
  const { push, numbers } = aGate();
  push(5, 6, 5, 2);
  expect(numbers()).toEqual([5, 6, 5, 2]);
});

it("lets a message wait for the one before it, which is mostly right behind", async () => {
  const { push, numbers, database } = aGate([1, 2, 3, 4]);
  push(1, 4, 3);
  expect(numbers()).toEqual([1]);
  push(2);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  await pause(60);
  expect(database.asked).toEqual([]);
  expect(await outcomes()).toEqual({ arrived: 1 });
});

it("fetches the messages of a gap whose events do not come", async () => {
  const { push, numbers, database } = aGate([1, 2, 3, 4, 5]);
  push(1, 4);
  await eventually(numbers, (seen) => seen.includes(4));
  push(5);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  expect(database.asked).toEqual([[1, 4]]);
  expect(await outcomes()).toEqual({ fetched: 1 });
});

it("passes over a number that is not stored, and counts it", async () => {
  const { push, numbers } = aGate([1, 3]);
  push(1, 3);
  await eventually(numbers, (seen) => seen.includes(3));
  push(4);
  expect(numbers()).toEqual([1, 3, 4]);
  expect(await outcomes()).toEqual({ absent: 1 });
});

it("passes over numbers that are not stored between others that are", async () => {
  const { push, numbers } = aGate([1, 3, 5, 8, 10]);
  push(1, 5, 10);
  await eventually(numbers, (seen) => seen.includes(10));
  expect(numbers()).toEqual([1, 3, 5, 8, 10]);
});

it("releases a message once that comes while it is fetched", async () => {
  const { push, numbers, database } = aGate();
  const { promise, resolve } = Promise.withResolvers<Message[]>();
  database.answer = () => promise;
  push(1, 4);
  await eventually(
    () => database.asked,
    (asked) => asked.length === 1,
  );
  push(2, 3);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  resolve([aMessage(2), aMessage(3)]);
  await pause(30);
  push(5);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("releases a message once that comes behind a gap while it is fetched", async () => {
  const { push, numbers, database } = aGate();
  const { promise, resolve } = Promise.withResolvers<Message[]>();
  database.answer = () => promise;
  push(1, 5);
  await eventually(
    () => database.asked,
    (asked) => asked.length === 1,
  );
  push(3);
  resolve([aMessage(2), aMessage(3), aMessage(4)]);
  await pause(30);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  expect(database.asked).toEqual([[1, 5]]);
});

it("waits for the event of a message that is of no use without it, and releases what is stored before", async () => {
  const { push, numbers, database } = aGate([1, 2, 3, 4, 5]);
  database.onlyByEvent = [3];
  push(1, 5);
  await eventually(numbers, (seen) => seen.includes(2));
  await pause(300);
  expect(numbers()).toEqual([1, 2]);
  push(3);
  await eventually(numbers, (seen) => seen.includes(5));
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("waits for such an event only for a while, then releases everything else of the gap in order", async () => {
  const { push, numbers, database } = aGate([1, 2, 3, 4, 5, 6], { ...WAITS, uselessMs: 300 });
  database.onlyByEvent = [2, 4];
  push(1, 6);
  await pause(100);
  expect(numbers()).toEqual([1]);
  await eventually(numbers, (seen) => seen.includes(6));
  expect(numbers()).toEqual([1, 3, 5, 6]);
});

it("holds the messages behind a gap while the database cannot be read for long, and keeps the order", async () => {
  const { push, numbers, database } = aGate([1, 2, 3, 4]);
  const { answer } = database;
  database.answer = () => Promise.reject(new Error("away"));
  push(1, 4);
  await pause(2_500);
  push(5);
  expect(numbers()).toEqual([1]);
  database.answer = answer;
  await eventually(numbers, (seen) => seen.includes(5));
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("holds no more messages than its bound", async () => {
  const { push, numbers, database } = aGate();
  database.answer = () => Promise.reject(new Error("away"));
  push(1, ...Array.from({ length: 600 }, (_, index) => index + 3));
  await eventually(numbers, (seen) => seen.length > 1);
  expect(numbers().slice(0, 3)).toEqual([1, 3, 4]);
});

it("asks again when the database could not be asked", async () => {
  const { push, numbers, database } = aGate([1, 2, 3]);
  const { answer } = database;
  database.answer = async (after, before) => {
    if (database.asked.length < 3) throw new Error("away");
    return answer(after, before);
  };
  push(1, 3);
  await eventually(numbers, (seen) => seen.includes(3));
  expect(numbers()).toEqual([1, 2, 3]);
});

it.each([
  ["fails", () => Promise.reject(new Error("away"))],
  ["does not answer", () => new Promise<never>(() => undefined)],
])("gives a gap up after the hold time when the database %s, and keeps the order of the rest", async (_, answer) => {
  const { push, numbers, database } = aGate([], { ...WAITS, holdMs: 1_000 });
  database.answer = answer;
  push(1, 5, 3, 4);
  await pause(500);
  expect(numbers()).toEqual([1]);
  await eventually(numbers, (seen) => seen.length > 1);
  expect(numbers()).toEqual([1, 3, 4, 5]);
  expect(await outcomes()).toEqual({ "given up": 1 });
  push(6, 2);
  expect(numbers()).toEqual([1, 3, 4, 5, 6, 2]);
});

it("holds back neither another thread nor another user", () => {
  const { inOrder, push, released } = aGate();
  push(1, 3);
  inOrder.push("bob", { message: aMessage(7, "bob-cyd") });
  inOrder.push("bob", { message: aMessage(8, "bob-cyd") });
  inOrder.push("ann", { message: aMessage(3) });
  inOrder.push("ann", { message: aMessage(4) });
  expect(released).toEqual(["bob ann-bob-1", "bob bob-cyd-7", "bob bob-cyd-8", "ann ann-bob-3", "ann ann-bob-4"]);
  push(2);
});

it("begins anew with a user who was gone", () => {
  const { inOrder, push, numbers } = aGate();
  push(1, 2);
  inOrder.forget("bob");
  push(9, 10);
  expect(numbers()).toEqual([1, 2, 9, 10]);
});
