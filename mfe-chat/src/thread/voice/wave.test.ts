import { barsOf, waveOf } from "./wave.ts";

const rounded = (bars: number[]) => bars.map((bar) => Math.round(bar * 10) / 10);

it("keeps the loudest level of each part of a long recording, relative to the loudest of all", () => {
  const levels = Array.from({ length: 6_400 }, (_, index) => (index === 150 ? 0.5 : index >= 6_300 ? 0.25 : 0));
  const bars = rounded(barsOf(waveOf(levels)));
  expect(bars).toHaveLength(64);
  expect([bars[0], bars[1], bars[2], bars[63]]).toEqual([0, 1, 0, 0.5]);
});

it("has 64 bars also for a short or silent recording", () => {
  expect(rounded(barsOf(waveOf([0.1, 0.2]))).filter((bar) => bar === 1)).toHaveLength(32);
  expect(barsOf(waveOf([]))).toEqual(Array(64).fill(0));
});

it("shows nothing of a damaged wave", () => {
  expect(barsOf("*")).toEqual([]);
});
