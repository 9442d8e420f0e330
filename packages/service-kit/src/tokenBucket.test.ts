import { createTokenBucket } from "./tokenBucket.ts";

/** A bucket of 10 that gets one every 100 ms. */
function aBucket() {
  const clock = { now: 1_000 };
  const bucket = createTokenBucket({ count: 10, seconds: 1 }, () => clock.now);
  const taken = () => {
    let count = 0;
    while (bucket.take()) count += 1;
    return count;
  };
  return { clock, bucket, taken };
}

it("gives what it holds at once, and then as fast as it is refilled", () => {
  const { clock, taken } = aBucket();
  expect(taken()).toBe(10);
  clock.now += 250;
  expect(taken()).toBe(2);
  clock.now += 50;
  expect(taken()).toBe(1);
});

it("never holds more than its size", () => {
  const { clock, taken } = aBucket();
  clock.now += 3_600_000;
  expect(taken()).toBe(10);
});

it("says how long to wait", () => {
  const { bucket, taken } = aBucket();
  expect(bucket.msUntil(1)).toBe(0);
  taken();
  expect(bucket.msUntil(1)).toBe(100);
  expect(bucket.msUntil(5)).toBe(500);
});

it("gives nothing for a clock that was set back", () => {
  const { clock, taken } = aBucket();
  taken();
  clock.now -= 5_000;
  expect(taken()).toBe(0);
  clock.now += 100;
  expect(taken()).toBe(1);
});
