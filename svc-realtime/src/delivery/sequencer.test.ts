import type { Message } from "@messageoh/contracts/messages";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { createSequencer } from "./sequencer.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});
const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** Returns a sequencer whose database contains the messages that the test puts in. */
function setUp() {
  const state = {
    stored: new Map<number, Message>(),
    isFailing: false,
    mayMissEarlier: false,
    reads: [] as string[],
  };
  const released: string[] = [];
  const sequencer = createSequencer({
    release: (userId, { message }) => released.push(`${userId} ${message.seq}`),
    async readBetween(_, after, before) {
      state.reads.push(`${after}-${before}`);
      if (state.isFailing) throw new Error("down");
      return [...state.stored.values()].filter(({ seq }) => seq > after && seq < before).slice(0, 200);
    },
    mayMissEarlier: () => state.mayMissEarlier,
    logger: silentLogger,
  });
  const push = (...seqs: number[]) => {
    for (const seq of seqs) sequencer.push("bob", { message: aMessage({ seq }) });
  };
  const store = (...seqs: number[]) => {
    for (const seq of seqs) state.stored.set(seq, aMessage({ seq }));
  };
  return { state, released, sequencer, push, store };
}
const bob = (...seqs: number[]) => seqs.map((seq) => `bob ${seq}`);

it("releases the next number at once, a lower one never, and a higher one when the missing one arrives", async () => {
  const { released, state, push } = setUp();
  push(5, 6, 5, 8);
  expect(released).toEqual(bob(5, 6));
  push(7, 8, 6);
  expect(released).toEqual(bob(5, 6, 7, 8));
  await advance(10_000);
  expect(released).toEqual(bob(5, 6, 7, 8));
  expect(state.reads).toEqual([]);
});

it("does not release a number again, however much later it is repeated", async () => {
  const { released, push } = setUp();
  push(1, 2, 3);
  await advance(3_600_000);
  push(2, 4, 1);
  expect(released).toEqual(bob(1, 2, 3, 4));
});

it("reads the missing messages, in pages", async () => {
  const { released, store, push } = setUp();
  store(...Array.from({ length: 500 }, (_, index) => index + 2));
  push(1, 502);
  await advance(100);
  expect(released).toEqual(bob(...Array.from({ length: 502 }, (_, index) => index + 1)));
});

it("skips numbers that are not stored, and releases one of them if it arrives later", async () => {
  const { released, push } = setUp();
  push(1, 4);
  await advance(100);
  expect(released).toEqual(bob(1, 4));
  push(3, 3, 5);
  expect(released).toEqual(bob(1, 4, 3, 5));
});

it("releases a message after five seconds behind a gap that cannot be read, and the missing one if it follows", async () => {
  const { released, state, push } = setUp();
  state.isFailing = true;
  push(1, 3);
  await advance(4_900);
  expect(released).toEqual(bob(1));
  await advance(400);
  expect(released).toEqual(bob(1, 3));
  push(2);
  expect(released).toEqual(bob(1, 3, 2));
});

it("holds each message of several gaps for five seconds of its own", async () => {
  const { released, state, push } = setUp();
  state.isFailing = true;
  push(1, 3);
  await advance(3_000);
  push(5);
  await advance(2_500);
  expect(released).toEqual(bob(1, 3));
  await advance(3_000);
  expect(released).toEqual(bob(1, 3, 5));
});

it("gives a gap up when it holds more than 1 MB", async () => {
  const { released, state, sequencer, push } = setUp();
  state.isFailing = true;
  push(1);
  for (let seq = 3; seq < 90; seq += 1) {
    sequencer.push("bob", { message: aMessage({ seq, text: "x".repeat(4_000) }) });
  }
  await advance(300);
  expect(released).toContain("bob 3");
});

it("reads up to 100 numbers before the first message of a thread, if some may be missing", async () => {
  const { released, state, store, push } = setUp();
  state.mayMissEarlier = true;
  store(398, 399);
  push(400);
  await advance(500);
  expect(state.reads[0]).toBe("299-400");
  expect(released).toEqual(bob(398, 399, 400));
});

it("starts anew after the user has left, and releases nothing that was held before", async () => {
  const { released, state, sequencer, push } = setUp();
  state.isFailing = true;
  push(1, 3);
  sequencer.forget("bob");
  await advance(20_000);
  expect(released).toEqual(bob(1));
  push(7);
  expect(released).toEqual(bob(1, 7));
});

it("keeps users and threads apart", async () => {
  const { released, sequencer } = setUp();
  for (const [userId, thread_id, seq] of [
    ["ann", "t", 1],
    ["bob", "t", 1],
    ["bob", "u", 8],
    ["bob", "t", 2],
  ] as const) {
    sequencer.push(userId, { message: aMessage({ thread_id, seq }) });
  }
  expect(released).toEqual(["ann 1", "bob 1", "bob 8", "bob 2"]);
});
