import { RecentSet } from "./recentSet.ts";

afterEach(() => {
  jest.useRealTimers();
});

it("reports a repeated text", () => {
  const set = new RecentSet(10, 1_000);
  expect([set.add("a"), set.add("b"), set.add("a")]).toEqual([true, true, false]);
});

it("keeps the newest entries and drops the oldest when it is full", () => {
  const set = new RecentSet(2, 60_000);
  for (const text of ["a", "b", "c", "d", "e"]) set.add(text);
  expect(["e", "d", "c", "a"].map((text) => set.add(text))).toEqual([false, false, false, true]);
});

it("keeps an entry for the given time and drops it later", () => {
  jest.useFakeTimers();
  const set = new RecentSet(10, 1_000);
  set.add("a");
  jest.advanceTimersByTime(900);
  expect(set.add("a")).toBe(false);
  jest.advanceTimersByTime(1_200);
  set.add("b");
  expect(set.add("a")).toBe(false);
  jest.advanceTimersByTime(1_200);
  set.add("c");
  jest.advanceTimersByTime(1_200);
  set.add("d");
  expect(set.add("a")).toBe(true);
});
