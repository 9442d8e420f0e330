import { everyMinuteUntil } from "./useTimeLabel.ts";

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

it("checks a label every 60 seconds", () => {
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

it("stops the timer with the check after which the label is final", () => {
  const notify = jest.fn();
  everyMinuteUntil(Date.now() + 90_000, notify);
  jest.advanceTimersByTime(MINUTE_MS);
  expect([notify.mock.calls.length, jest.getTimerCount()]).toEqual([1, 1]);
  jest.advanceTimersByTime(MINUTE_MS);
  expect([notify.mock.calls.length, jest.getTimerCount()]).toEqual([2, 0]);
});

it("runs no timer for a label that is final", () => {
  everyMinuteUntil(Date.now(), () => undefined);
  expect(jest.getTimerCount()).toBe(0);
});
