import { backoffMs } from "./backoff.ts";

describe("backoffMs", () => {
  it("doubles from 1 to 30 seconds", () => {
    expect([1, 2, 3, 4, 5, 6, 99].map((failures) => backoffMs(failures, () => 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  it("removes at most half at random", () => {
    expect(backoffMs(3, () => 0)).toBe(2000);
  });
});
