import { randomBytes } from "node:crypto";
import { parse, safeParse } from "@messageoh/contracts/parse";
import { openTestRedis } from "../../testing/redis.ts";
import type { HttpError } from "../http/errors.ts";
import { createRateLimit, formatWait, rateSetting } from "./rateLimit.ts";

const aName = () => `test-${randomBytes(4).toString("hex")}`;
const two = { rate: { count: 2, seconds: 60 }, text: "Too much" };

it("refuses a use above the limit with 429, a text and the seconds to wait", async () => {
  const limit = createRateLimit({ redis: await openTestRedis(), name: aName(), ...two });
  await limit.take("ann");
  await limit.take("ann");
  const refusal: HttpError = await limit.take("ann").catch((error) => error);
  expect(refusal.status).toBe(429);
  expect(refusal.message).toMatch(/^Too much\. Please try again in \d+ seconds$/);
  expect(refusal.retryAfterSeconds).toBeGreaterThan(55);
  await limit.take("bob");
});

it("counts the uses of all instances together", async () => {
  const name = aName();
  const [here, there] = [await openTestRedis(), await openTestRedis()].map((redis) =>
    createRateLimit({ redis, name, ...two }),
  );
  await here?.take("ann");
  await there?.take("ann");
  await expect(here?.take("ann")).rejects.toThrow("Too much");
});

it("counts from 0 again after forget", async () => {
  const limit = createRateLimit({ redis: await openTestRedis(), name: aName(), ...two });
  await limit.take("ann");
  await limit.take("ann");
  await limit.forget("ann");
  await limit.take("ann");
});

it("counts in memory during an outage of Redis", async () => {
  const limit = createRateLimit({ redis: await openTestRedis("redis://127.0.0.1:1", "close"), name: aName(), ...two });
  await limit.take("ann");
  await limit.take("ann");
  await expect(limit.take("ann")).rejects.toThrow("Too much");
  await limit.forget("ann");
  await limit.take("ann");
});

it("parses a setting, and rejects an invalid one", () => {
  const setting = rateSetting("5/900");
  expect(parse(setting, undefined)).toEqual({ count: 5, seconds: 900 });
  expect(parse(setting, "7/1")).toEqual({ count: 7, seconds: 1 });
  for (const wrong of ["7", "7/0", "0/7", "a/b", "7/1/1", ""]) expect(safeParse(setting, wrong).success).toBe(false);
});

it.each([
  [1, "in a second"],
  [30, "in 30 seconds"],
  [200, "in 4 minutes"],
])("formats %d seconds as a text", (seconds, text) => {
  expect(formatWait(seconds)).toBe(text);
});
