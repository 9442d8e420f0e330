import { createEmitThrottle } from "./emitThrottle.ts";

/** The bytes that a user may get at once, and then per second. */
const RATE = 1_000_000;

let emitted: string[];
let overflows: [string, number][];
let throttle: ReturnType<typeof createEmitThrottle>;

beforeEach(() => {
  jest.useFakeTimers();
  emitted = [];
  overflows = [];
  throttle = createEmitThrottle((userId, bytes) => overflows.push([userId, bytes]));
});
afterEach(() => jest.useRealTimers());

/** Emits messages named by their thread and a number. Each costs a tenth of a second. */
function emit(userId: string, names: string[], { cost = RATE / 10, bytes = 1_000 } = {}): void {
  for (const name of names) {
    throttle.emit(userId, { threadId: name[0] ?? "", bytes, cost, emit: () => emitted.push(`${userId} ${name}`) });
  }
}
const named = (thread: string, count: number) => Array.from({ length: count }, (_, index) => `${thread}${index}`);

it("emits what a second allows at once, and the rest in order as the rate allows it", () => {
  emit("ann", named("a", 15));
  const all = named("a", 15).map((name) => `ann ${name}`);
  // The eleventh message is the first one above the burst. It starts while the burst is not exceeded.
  expect(emitted).toEqual(all.slice(0, 11));
  jest.advanceTimersByTime(101);
  expect(emitted).toEqual(all.slice(0, 12));
  jest.advanceTimersByTime(300);
  expect(emitted).toEqual(all);
});

it("allows a burst again after a pause", () => {
  emit("ann", named("a", 20));
  jest.advanceTimersByTime(5_000);
  emitted.length = 0;
  emit("ann", named("a", 11));
  expect(emitted).toHaveLength(11);
});

it("emits the messages of other users at once", () => {
  emit("ann", named("a", 100));
  emitted.length = 0;
  emit("bob", named("b", 3));
  expect(emitted).toEqual(["bob b0", "bob b1", "bob b2"]);
});

it("emits from the threads of a user in turn, so that a busy thread does not delay the others", () => {
  emit("ann", named("a", 40));
  emit("ann", ["b0", "b1"]);
  emitted.length = 0;
  jest.advanceTimersByTime(401);
  expect(emitted).toEqual(["ann a11", "ann b0", "ann a12", "ann b1"]);
});

it("reports a user for whom more than 8 MB wait, drops the messages, and starts again", () => {
  emit("ann", named("a", 11));
  emit("ann", named("a", 8), { bytes: 1_000_000 });
  expect(overflows).toEqual([]);
  emit("ann", ["b0"], { bytes: 1 });
  expect(overflows).toEqual([["ann", 8_000_000]]);
  emitted.length = 0;
  jest.advanceTimersByTime(5_000);
  expect(emitted).toEqual([]);
  emit("ann", ["a20"]);
  expect(emitted).toEqual(["ann a20"]);
});

it("reports a user above the rate while more than 32 MB wait for all users", () => {
  for (const user of ["ann", "bob", "cyd", "dan"]) {
    emit(user, named("a", 11));
    emit(user, named("b", 8), { bytes: 1_000_000 });
  }
  emit("eve", named("a", 11), { bytes: 1_000_000 });
  expect(overflows).toEqual([]);
  emit("eve", ["a11"]);
  expect(overflows).toEqual([["eve", 0]]);
  throttle.forget("ann");
  emit("eve", named("a", 12));
  expect(overflows).toHaveLength(1);
});

it("emits nothing to a user who was forgotten", () => {
  emit("ann", named("a", 20));
  emitted.length = 0;
  throttle.forget("ann");
  jest.advanceTimersByTime(5_000);
  expect(emitted).toEqual([]);
});
