import { jitterMs } from "./jitter.ts";

it.each([
  [1, 3_000],
  [600, 3_000],
  [2_000, 10_000],
  [5_000, 25_000],
  [100_000, 30_000],
])("spreads the requests of %d clients over %d ms, at most the time between two polls", (clients, ms) => {
  expect(jitterMs(clients, 3_000)).toBe(ms);
});
