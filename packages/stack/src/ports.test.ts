import { freePort } from "./ports.ts";

it("returns no port twice, also before anything listens on it", async () => {
  const ports = await Promise.all(Array.from({ length: 1_000 }, () => freePort()));
  expect(new Set(ports).size).toBe(1_000);
});
