import { freePort } from "./ports.ts";

it("returns no port twice, also before anything listens on it", async () => {
  const ports: number[] = [];
  // One after the other, because simultaneous calls see each other's probes. Random ports would repeat about 100 times.
  for (let count = 0; count < 2_000; count += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(2_000);
});
