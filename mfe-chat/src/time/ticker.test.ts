import { createTicker } from "./ticker.ts";

const INTERVAL_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test("no timer runs without a listener", () => {
  createTicker(INTERVAL_MS);
  expect(jest.getTimerCount()).toBe(0);
});

test("a listener is told once per interval", () => {
  const listener = jest.fn();
  createTicker(INTERVAL_MS)(listener);
  jest.advanceTimersByTime(INTERVAL_MS - 1);
  expect(listener).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(INTERVAL_MS);
  expect(listener).toHaveBeenCalledTimes(2);
});

test("a thousand listeners share one timer", () => {
  const subscribe = createTicker(INTERVAL_MS);
  for (let index = 0; index < 1000; index++) subscribe(() => undefined);
  expect(jest.getTimerCount()).toBe(1);
});

test("the timer stops with the last listener and starts again with the next", () => {
  const subscribe = createTicker(INTERVAL_MS);
  const leaveFirst = subscribe(() => undefined);
  const leaveSecond = subscribe(() => undefined);
  leaveFirst();
  expect(jest.getTimerCount()).toBe(1);
  leaveSecond();
  expect(jest.getTimerCount()).toBe(0);
  subscribe(() => undefined);
  expect(jest.getTimerCount()).toBe(1);
});

test("a listener may leave while it is told", () => {
  const subscribe = createTicker(INTERVAL_MS);
  const other = jest.fn();
  const leave = subscribe(() => leave());
  subscribe(other);
  jest.advanceTimersByTime(INTERVAL_MS);
  expect(other).toHaveBeenCalledTimes(1);
});
