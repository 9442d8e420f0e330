import { backoffMs } from "./backoff.ts";

describe("backoffMs", () => {
  afterEach(() => jest.restoreAllMocks());

  it("doubles from 1 to 30 seconds", () => {
    jest.spyOn(Math, "random").mockReturnValue(1);
    expect([1, 2, 3, 4, 5, 6, 99].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("removes at most half at random", () => {
    jest.spyOn(Math, "random").mockReturnValue(0);
    expect(backoffMs(3)).toBe(2000);
  });
});
