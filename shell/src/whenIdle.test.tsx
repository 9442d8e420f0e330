import { whenQuiet } from "./whenIdle.ts";

/** Reports a response that arrives now. */
let arrive: () => void;
const observe = globalThis.PerformanceObserver;

beforeEach(() => {
  jest.useFakeTimers();
  globalThis.PerformanceObserver = class extends observe {
    constructor(report: PerformanceObserverCallback) {
      super(report);
      arrive = () => report({} as PerformanceObserverEntryList, this);
    }
    override disconnect() {
      arrive = () => undefined;
    }
  };
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.PerformanceObserver = observe;
});

/** Time until an idle browser without `requestIdleCallback` starts, in milliseconds. */
const IDLE_MS = 200;

it("starts after a second without a response", () => {
  const work = jest.fn();
  whenQuiet(work);
  for (let count = 0; count < 3; count += 1) {
    jest.advanceTimersByTime(999);
    arrive();
  }
  jest.advanceTimersByTime(999 + IDLE_MS);
  expect(work).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(1);
});

it("starts after ten seconds if responses keep arriving", () => {
  const work = jest.fn();
  whenQuiet(work);
  for (let count = 0; count < 20; count += 1) {
    jest.advanceTimersByTime(500);
    arrive();
  }
  jest.advanceTimersByTime(IDLE_MS);
  expect(work).toHaveBeenCalledTimes(1);
});
