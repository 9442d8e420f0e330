import { createPauses } from "./pauses.ts";

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

it("does not pause in a short read or before the first part", async () => {
  const pause = createPauses();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await isDoneAfter(0, pause())).toBe(true);
  const short = createPauses();
  await short();
  await jest.advanceTimersByTimeAsync(49);
  expect(await isDoneAfter(0, short())).toBe(true);
  const strict = createPauses(undefined, 10);
  await strict();
  await jest.advanceTimersByTimeAsync(10);
  expect(await isDoneAfter(39, strict())).toBe(false);
});

it("pauses four times as long as the part before, up to 200 ms, in a long read", async () => {
  const pause = createPauses();
  await pause();
  await jest.advanceTimersByTimeAsync(50);
  const first = pause();
  expect(await isDoneAfter(199, first)).toBe(false);
  expect(await isDoneAfter(1, first)).toBe(true);
  await jest.advanceTimersByTimeAsync(10);
  const second = pause();
  expect(await isDoneAfter(39, second)).toBe(false);
  expect(await isDoneAfter(1, second)).toBe(true);
  await jest.advanceTimersByTimeAsync(4_000);
  const third = pause();
  expect(await isDoneAfter(199, third)).toBe(false);
  expect(await isDoneAfter(1, third)).toBe(true);
});
