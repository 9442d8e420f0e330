import { RecentSet } from "./recentSet.ts";

afterEach(() => {
  jest.useRealTimers();
});

it("knows a text again", () => {
  const seen = new RecentSet(10, 1_000);
  expect([seen.add("a"), seen.add("b"), seen.add("a")]).toEqual([true, true, false]);
});

it("keeps the newest when there are many, and forgets the oldest", () => {
  const seen = new RecentSet(2, 60_000);
  for (const text of ["a", "b", "c", "d", "e"]) seen.add(text);
  expect(["e", "d", "c", "a"].map((text) => seen.add(text))).toEqual([false, false, false, true]);
});

it("remembers for as long as it was told, and not for ever", () => {
  jest.useFakeTimers();
  const seen = new RecentSet(10, 1_000);
  seen.add("a");
  jest.advanceTimersByTime(900);
  expect(seen.add("a")).toBe(false);
  jest.advanceTimersByTime(1_200);
  seen.add("b");
  expect(seen.add("a")).toBe(false);
  jest.advanceTimersByTime(1_200);
  seen.add("c");
  jest.advanceTimersByTime(1_200);
  seen.add("d");
  expect(seen.add("a")).toBe(true);
});
