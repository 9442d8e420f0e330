import { pollEvery } from "./pollEvery.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it("runs again after a failure, and after a time that the last result decides", async () => {
  const run = jest.fn(async () => 5).mockRejectedValueOnce("down");
  const onError = jest.fn();
  const { start } = pollEvery((result = 1) => result * 1_000, run, onError);
  start();
  await jest.advanceTimersByTimeAsync(1_000);
  expect([run.mock.calls.length, onError.mock.calls]).toEqual([2, [["down"]]]);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(run).toHaveBeenCalledTimes(2);
  await jest.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(3);
});

it("ends after the run that is under way", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = jest.fn(() => promise);
  const poll = pollEvery(1_000, run, () => {});
  poll.start();
  const closed = jest.fn();
  const closing = poll.close().then(closed);
  await jest.advanceTimersByTimeAsync(0);
  expect([poll.isClosed(), closed.mock.calls.length]).toEqual([true, 0]);
  resolve();
  await closing;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(1);
});
