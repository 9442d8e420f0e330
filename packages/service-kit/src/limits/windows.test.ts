import { createWindows } from "./windows.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it("counts a key until its window ends, and says by how much it is over", () => {
  const { spend } = createWindows({ count: 3, seconds: 10 });
  expect(spend("ann")).toEqual({ excess: 0, msLeft: 10_000 });
  jest.advanceTimersByTime(4_000);
  expect(spend("ann", 2)).toEqual({ excess: 0, msLeft: 6_000 });
  expect(spend("ann", 2)).toEqual({ excess: 2, msLeft: 6_000 });
  expect(spend("bob").excess).toBe(0);
  jest.advanceTimersByTime(6_000);
  expect(spend("ann")).toEqual({ excess: 0, msLeft: 10_000 });
});

it("takes points back, and forgets", () => {
  const { spend, forget } = createWindows({ count: 1, seconds: 10 });
  spend("ann");
  spend("ann", -1);
  expect(spend("ann").excess).toBe(0);
  forget("ann");
  expect(spend("ann").excess).toBe(0);
});

it("keeps 100,000 keys at most", () => {
  const { spend } = createWindows({ count: 1, seconds: 10 });
  for (let key = 0; key < 100_001; key += 1) spend(`key ${key}`);
  // The first one was dropped, the second one is still counted.
  expect([spend("key 1").excess, spend("key 0").excess]).toEqual([1, 0]);
});
