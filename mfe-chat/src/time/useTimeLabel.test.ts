import { everyMinute, everyMinuteUntil } from "./useTimeLabel.ts";

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  for (const leave of left.splice(0)) leave();
  jest.useRealTimers();
});

const left: (() => void)[] = [];
/** Listens until the end of the test. */
function listen(listener: () => void): () => void {
  const leave = everyMinute(listener);
  left.push(leave);
  return leave;
}

it("runs no timer without a listener", () => {
  expect(jest.getTimerCount()).toBe(0);
});

it("calls a listener once per minute", () => {
  const listener = jest.fn();
  listen(listener);
  jest.advanceTimersByTime(MINUTE_MS - 1);
  expect(listener).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(listener).toHaveBeenCalledTimes(2);
});

it("shares one timer between a thousand listeners", () => {
  for (let index = 0; index < 1000; index++) listen(() => undefined);
  expect(jest.getTimerCount()).toBe(1);
});

it("stops the timer with the last listener and starts it again with the next", () => {
  const leaveFirst = listen(() => undefined);
  const leaveSecond = listen(() => undefined);
  leaveFirst();
  expect(jest.getTimerCount()).toBe(1);
  leaveSecond();
  expect(jest.getTimerCount()).toBe(0);
  listen(() => undefined);
  expect(jest.getTimerCount()).toBe(1);
});

it("lets a listener leave while it is called", () => {
  const other = jest.fn();
  const leave = listen(() => leave());
  listen(other);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(other).toHaveBeenCalledTimes(1);
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
