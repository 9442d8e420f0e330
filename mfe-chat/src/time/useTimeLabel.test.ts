import { everyMinuteUntil } from "./useTimeLabel.ts";

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test("a label is checked every 60 seconds, no sooner and no later", () => {
  const notify = jest.fn();
  const leave = everyMinuteUntil(Number.POSITIVE_INFINITY, notify);
  for (const minutes of [1, 2, 3]) {
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(notify).toHaveBeenCalledTimes(minutes - 1);
    jest.advanceTimersByTime(1);
    expect(notify).toHaveBeenCalledTimes(minutes);
  }
  leave();
});

test("the timer stops with the check after which nothing changes any more", () => {
  const notify = jest.fn();
  everyMinuteUntil(Date.now() + 90_000, notify);
  jest.advanceTimersByTime(MINUTE_MS);
  expect([notify.mock.calls.length, jest.getTimerCount()]).toEqual([1, 1]);
  jest.advanceTimersByTime(MINUTE_MS);
  expect([notify.mock.calls.length, jest.getTimerCount()]).toEqual([2, 0]);
});

test("no timer runs for a label that cannot change any more", () => {
  everyMinuteUntil(Date.now(), () => undefined);
  expect(jest.getTimerCount()).toBe(0);
});
