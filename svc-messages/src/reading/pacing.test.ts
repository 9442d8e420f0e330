import { createPauses } from "./pacing.ts";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate"] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** Returns whether a promise is fulfilled after the given time. */
async function isDoneAfter(ms: number, promise: Promise<void>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  await jest.advanceTimersByTimeAsync(ms);
  await new Promise(setImmediate);
  return isDone;
}

it("does not pause in a short read", async () => {
  const pause = createPauses();
  await jest.advanceTimersByTimeAsync(49);
  expect(await isDoneAfter(0, pause())).toBe(true);
});

it("pauses four times as long as the part before, up to a second, in a long read", async () => {
  const pause = createPauses();
  await jest.advanceTimersByTimeAsync(150);
  const first = pause();
  expect(await isDoneAfter(599, first)).toBe(false);
  expect(await isDoneAfter(1, first)).toBe(true);
  await jest.advanceTimersByTimeAsync(40);
  const second = pause();
  expect(await isDoneAfter(159, second)).toBe(false);
  expect(await isDoneAfter(1, second)).toBe(true);
  await jest.advanceTimersByTimeAsync(4_000);
  const third = pause();
  expect(await isDoneAfter(999, third)).toBe(false);
  expect(await isDoneAfter(1, third)).toBe(true);
});
