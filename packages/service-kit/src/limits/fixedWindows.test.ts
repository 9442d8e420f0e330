import { createFixedWindows } from "./fixedWindows.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it("counts a key until its window ends, and returns the points above the limit", () => {
  const { spend } = createFixedWindows({ count: 3, seconds: 10 });
  expect(spend("ann")).toEqual({ excess: 0, msLeft: 10_000 });
  jest.advanceTimersByTime(4_000);
  expect(spend("ann", 2)).toEqual({ excess: 0, msLeft: 6_000 });
  expect(spend("ann", 2)).toEqual({ excess: 2, msLeft: 6_000 });
  expect(spend("bob").excess).toBe(0);
  jest.advanceTimersByTime(6_000);
  expect(spend("ann")).toEqual({ excess: 0, msLeft: 10_000 });
});

it("subtracts points, and resets a key", () => {
  const { spend, forget } = createFixedWindows({ count: 1, seconds: 10 });
  spend("ann");
  spend("ann", -1);
  expect(spend("ann").excess).toBe(0);
  forget("ann");
  expect(spend("ann").excess).toBe(0);
});

it("keeps at most 100,000 keys", () => {
  const { spend } = createFixedWindows({ count: 1, seconds: 10 });
  for (let key = 0; key < 100_001; key += 1) spend(`key ${key}`);
  // The first key was dropped; the second one is still counted.
  expect([spend("key 1").excess, spend("key 0").excess]).toEqual([1, 0]);
});

it("ends a window on time when the wall clock is set back", () => {
  const { spend } = createFixedWindows({ count: 1, seconds: 10 });
  spend("ann");
  jest.setSystemTime(Date.now() - 3_600_000);
  expect(spend("ann")).toEqual({ excess: 1, msLeft: 10_000 });
  jest.advanceTimersByTime(10_000);
  expect(spend("ann").excess).toBe(0);
});
