import { createTicker } from "./ticker.ts";

const INTERVAL_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

it("runs no timer without a listener", () => {
  createTicker(INTERVAL_MS);
  expect(jest.getTimerCount()).toBe(0);
});

it("calls a listener once per interval", () => {
  const listener = jest.fn();
  createTicker(INTERVAL_MS)(listener);
  jest.advanceTimersByTime(INTERVAL_MS - 1);
  expect(listener).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(INTERVAL_MS);
  expect(listener).toHaveBeenCalledTimes(2);
});

it("shares one timer between a thousand listeners", () => {
  const subscribe = createTicker(INTERVAL_MS);
  for (let index = 0; index < 1000; index++) subscribe(() => undefined);
  expect(jest.getTimerCount()).toBe(1);
});

it("stops the timer with the last listener and starts it again with the next", () => {
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

it("lets a listener unsubscribe while it is called", () => {
  const subscribe = createTicker(INTERVAL_MS);
  const other = jest.fn();
  const leave = subscribe(() => leave());
  subscribe(other);
  jest.advanceTimersByTime(INTERVAL_MS);
  expect(other).toHaveBeenCalledTimes(1);
});
