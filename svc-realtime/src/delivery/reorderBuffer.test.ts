import type { Message } from "@messageoh/contracts/messages";
import { readMetrics } from "@messageoh/service-kit/metrics";
import { parseMetrics, sumOf } from "@messageoh/service-kit/metricsText";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { eventually, pause } from "../../testing/waiting.ts";
import { createReorderBuffer, TIMINGS } from "./reorderBuffer.ts";

const messageOf = (seq: number, thread_id = "ann-bob") => aMessage({ seq, thread_id });

const buffers: { forget: (userId: string) => void }[] = [];
afterEach(() => {
  for (const buffer of buffers.splice(0)) buffer.forget("bob");
});

/** Returns a buffer, the released messages, and a database that contains the messages with these numbers. */
function aBuffer(stored: number[] = [], timings: typeof TIMINGS = TIMINGS) {
  const released: string[] = [];
  const database = {
    stored,
    /** Numbers whose messages cannot be delivered without their events. */
    needEvents: [] as number[],
    mayMissEvents: false,
    fetches: [] as [after: number, before: number][],
    read: async (after: number, before: number) =>
      database.stored.filter((seq) => seq > after && seq < before).map((seq) => messageOf(seq)),
  };
  const buffer = createReorderBuffer<{ message: Message }>({
    release: (userId, { message }) => released.push(`${userId} ${message.id}`),
    fetchBetween(_, after, before) {
      database.fetches.push([after, before]);
      return database.read(after, before);
    },
    mayMissEarlier: () => database.mayMissEvents,
    fromStored: (_, message) => (database.needEvents.includes(message.seq) ? null : { message }),
    logger: silentLogger,
    timings,
  });
  buffers.push(buffer);
  const push = (...numbers: number[]) => {
    for (const seq of numbers) buffer.push("bob", { message: messageOf(seq) });
  };
  const numbers = () => released.map((text) => Number(text.split("-").at(-1)));
  return { buffer, push, released, numbers, database };
}

const countOf = async (outcome: string) =>
  sumOf(parseMetrics((await readMetrics()).text), "messageoh_realtime_gaps_total", { outcome });
/** Returns the number of gaps by outcome since the test began. */
async function outcomes(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    OUTCOMES.map(async (outcome) => [outcome, (await countOf(outcome)) - (before.get(outcome) ?? 0)] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
const OUTCOMES = ["arrived", "fetched", "absent", "given_up"];
const before = new Map<string, number>();
beforeEach(async () => {
  for (const outcome of OUTCOMES) before.set(outcome, await countOf(outcome));
});

it("releases messages in order at once, from any first number", () => {
  const { push, numbers } = aBuffer();
  push(41, 42, 43);
  expect(numbers()).toEqual([41, 42, 43]);
});

it("releases repeated messages and those below the first number at once", () => {
  const { push, numbers } = aBuffer();
  push(5, 6, 5, 2);
  expect(numbers()).toEqual([5, 6, 5, 2]);
});

it("holds a message until the event of the one before it arrives", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3, 4]);
  push(1, 4, 3);
  expect(numbers()).toEqual([1]);
  push(2);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  await pause(60);
  expect(database.fetches).toEqual([]);
  expect(await outcomes()).toEqual({ arrived: 1 });
});

it("fetches the messages of a gap whose events do not arrive", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3, 4, 5]);
  push(1, 4);
  await eventually(numbers, (released) => released.includes(4));
  push(5);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  expect(database.fetches).toEqual([[1, 4]]);
  expect(await outcomes()).toEqual({ fetched: 1 });
});

it("skips a number that is not stored, and counts it", async () => {
  const { push, numbers } = aBuffer([1, 3]);
  push(1, 3);
  await eventually(numbers, (released) => released.includes(3));
  push(4);
  expect(numbers()).toEqual([1, 3, 4]);
  expect(await outcomes()).toEqual({ absent: 1 });
});

it("skips numbers that are not stored between stored ones", async () => {
  const { push, numbers } = aBuffer([1, 3, 5, 8, 10]);
  push(1, 5, 10);
  await eventually(numbers, (released) => released.includes(10));
  expect(numbers()).toEqual([1, 3, 5, 8, 10]);
});

it("releases a message once if its event arrives during the fetch", async () => {
  const { push, numbers, database } = aBuffer();
  const { promise, resolve } = Promise.withResolvers<Message[]>();
  database.read = () => promise;
  push(1, 4);
  await eventually(
    () => database.fetches,
    (fetches) => fetches.length === 1,
  );
  push(2, 3);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  resolve([messageOf(2), messageOf(3)]);
  await pause(30);
  push(5);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("releases a message once if its event arrives behind the gap during the fetch", async () => {
  const { push, numbers, database } = aBuffer();
  const { promise, resolve } = Promise.withResolvers<Message[]>();
  database.read = () => promise;
  push(1, 5);
  await eventually(
    () => database.fetches,
    (fetches) => fetches.length === 1,
  );
  push(3);
  resolve([messageOf(2), messageOf(3), messageOf(4)]);
  await pause(30);
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  expect(database.fetches).toEqual([[1, 5]]);
});

it("waits for the event of a message that needs it, and releases the stored messages before it", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3, 4, 5]);
  database.needEvents = [3];
  push(1, 5);
  await eventually(numbers, (released) => released.includes(2));
  await pause(300);
  expect(numbers()).toEqual([1, 2]);
  push(3);
  await eventually(numbers, (released) => released.includes(5));
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("skips a message whose event does not arrive in time, and releases the rest in order", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3, 4, 5, 6], { ...TIMINGS, eventTimeoutMs: 300 });
  database.needEvents = [2, 4];
  push(1, 6);
  await pause(100);
  expect(numbers()).toEqual([1]);
  await eventually(numbers, (released) => released.includes(6));
  expect(numbers()).toEqual([1, 3, 5, 6]);
});

it("holds the messages behind a gap during a database outage, and keeps the order", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3, 4]);
  const { read } = database;
  database.read = () => Promise.reject(new Error("unavailable"));
  push(1, 4);
  await pause(2_500);
  push(5);
  expect(numbers()).toEqual([1]);
  database.read = read;
  await eventually(numbers, (released) => released.includes(5));
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it("releases held messages when there are too many", async () => {
  const { push, numbers, database } = aBuffer();
  database.read = () => Promise.reject(new Error("unavailable"));
  push(1, ...Array.from({ length: 600 }, (_, index) => index + 3));
  await eventually(numbers, (released) => released.length > 1);
  expect(numbers().slice(0, 3)).toEqual([1, 3, 4]);
});

const LONG_TEXT = "x".repeat(4_000);
const isBeforeGap = (released: string) => released.endsWith("-1");

/** Pushes 450 messages to each thread, all but the first behind a gap. */
function pushBehindGaps(buffer: ReturnType<typeof aBuffer>["buffer"], threads: number, text: string): void {
  for (let thread = 0; thread < threads; thread += 1) {
    for (let seq = 1; seq < 452; seq += 1) {
      if (seq !== 2) buffer.push("bob", { message: { ...messageOf(seq, `thread-${thread}`), text } });
    }
  }
}

it.each([
  ["holds thousands of short messages of many threads", "hi", false],
  ["releases held messages when those of all threads take more than 32 MB", LONG_TEXT, true],
])("%s", async (_, text, isReleased) => {
  const { buffer, released, database } = aBuffer();
  database.read = () => Promise.reject(new Error("unavailable"));
  pushBehindGaps(buffer, 6, text);
  await pause(TIMINGS.retryMs);
  expect(!released.every(isBeforeGap)).toBe(isReleased);
});

it("retries a failed fetch", async () => {
  const { push, numbers, database } = aBuffer([1, 2, 3]);
  const { read } = database;
  database.read = async (after, before) => {
    if (database.fetches.length < 3) throw new Error("unavailable");
    return read(after, before);
  };
  push(1, 3);
  await eventually(numbers, (released) => released.includes(3));
  expect(numbers()).toEqual([1, 2, 3]);
});

it.each([
  ["fails", () => Promise.reject(new Error("unavailable"))],
  ["does not respond", () => new Promise<never>(() => undefined)],
])("gives up a gap after the longest hold when the database %s, and releases the rest in order", async (_, read) => {
  const { push, numbers, database } = aBuffer([], { ...TIMINGS, holdMaxMs: 1_000 });
  database.read = read;
  push(1, 5, 3, 4);
  await pause(500);
  expect(numbers()).toEqual([1]);
  await eventually(numbers, (released) => released.length > 1);
  expect(numbers()).toEqual([1, 3, 4, 5]);
  expect(await outcomes()).toEqual({ given_up: 1 });
  push(6, 2);
  expect(numbers()).toEqual([1, 3, 4, 5, 6, 2]);
});

it("holds the messages behind each gap for the longest hold, also if an earlier gap is given up meanwhile", async () => {
  const { push, numbers, database } = aBuffer([], { ...TIMINGS, holdMaxMs: 1_000 });
  database.read = () => Promise.reject(new Error("unavailable"));
  push(1, 3);
  await pause(800);
  push(5);
  await eventually(numbers, (released) => released.length > 1);
  expect(numbers()).toEqual([1, 3]);
  push(4);
  expect(numbers()).toEqual([1, 3, 4, 5]);
});

it("holds messages for the whole time when the wall clock jumps ahead", async () => {
  const { push, numbers, database } = aBuffer([], { ...TIMINGS, holdMaxMs: 60_000 });
  database.read = () => Promise.reject(new Error("unavailable"));
  push(1, 3);
  const { now } = Date;
  const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + 120_000);
  try {
    await eventually(
      () => database.fetches.length,
      (count) => count >= 3,
    );
    expect(numbers()).toEqual([1]);
    push(2);
    expect(numbers()).toEqual([1, 2, 3]);
  } finally {
    clock.mockRestore();
  }
});

it("does not delay another thread or another user", () => {
  const { buffer, push, released } = aBuffer();
  push(1, 3);
  buffer.push("bob", { message: messageOf(7, "bob-cyd") });
  buffer.push("bob", { message: messageOf(8, "bob-cyd") });
  buffer.push("ann", { message: messageOf(3) });
  buffer.push("ann", { message: messageOf(4) });
  expect(released).toEqual(["bob ann-bob-1", "bob bob-cyd-7", "bob bob-cyd-8", "ann ann-bob-3", "ann ann-bob-4"]);
  push(2);
});

it("starts again at the next message of a forgotten user", () => {
  const { buffer, push, numbers } = aBuffer();
  push(1, 2);
  buffer.forget("bob");
  push(9, 10);
  expect(numbers()).toEqual([1, 2, 9, 10]);
});

it("drops the messages behind a gap of a forgotten user", async () => {
  const { buffer, push, numbers, database } = aBuffer([1, 2, 3]);
  push(1, 3);
  buffer.forget("bob");
  await pause(100);
  expect(numbers()).toEqual([1]);
  expect(database.fetches).toEqual([]);
});

it("holds as many bytes as before after a user was forgotten", async () => {
  const { buffer, released, database } = aBuffer();
  database.read = () => Promise.reject(new Error("unavailable"));
  pushBehindGaps(buffer, 4, LONG_TEXT);
  buffer.forget("bob");
  pushBehindGaps(buffer, 4, LONG_TEXT);
  await pause(TIMINGS.retryMs);
  expect(released.every(isBeforeGap)).toBe(true);
});

it("fetches earlier messages before the first of a thread while events may have been missed", async () => {
  const { push, numbers, database } = aBuffer(Array.from({ length: 260 }, (_, index) => index + 1));
  database.needEvents = [200];
  database.mayMissEvents = true;
  push(251, 253, 252);
  expect(numbers()).toEqual([]);
  await eventually(numbers, (seen) => seen.includes(253));
  expect(database.fetches[0]).toEqual([150, 251]);
  const expected = Array.from({ length: 103 }, (_, index) => index + 151).filter((seq) => seq !== 200);
  expect(numbers()).toEqual(expected);
});
