import { randomBytes } from "node:crypto";
import { openTestRedis } from "../../testing/redis.ts";
import { until } from "../../testing/until.ts";
import { createSharedQuota } from "./sharedQuota.ts";

const aName = () => `test-${randomBytes(4).toString("hex")}`;
const rate = { count: 100, seconds: 60 };

it("counts the use of all instances together", async () => {
  const name = aName();
  const redis = await openTestRedis();
  const [here, there] = [createSharedQuota({ redis, name, rate }), createSharedQuota({ redis, name, rate })];
  expect(here.spend("ann", 90)).toBe(true);
  await here.flush();
  // The first use of a key is accepted before the response of Redis, and tells this instance the total.
  expect(there.spend("ann", 5)).toBe(true);
  await there.flush();
  expect(there.spend("ann", 6)).toBe(false);
  expect(there.spend("ann", 5)).toBe(true);
  expect(there.spend("bob", 100)).toBe(true);
});

it("reports the first use of a key and then each fiftieth of the quota, not each use", async () => {
  const redis = await openTestRedis();
  const quota = createSharedQuota({ redis, name: aName(), rate: { count: 1_000, seconds: 60 } });
  const commands = jest.spyOn(redis, "sendCommand");
  for (let count = 0; count < 100; count += 1) {
    expect(quota.spend("ann", 1)).toBe(true);
    // The next report begins only after the response to the first one.
    await (count === 0 ? quota.flush() : undefined);
  }
  expect(commands.mock.calls.length).toBeLessThanOrEqual(6);
  expect(commands.mock.calls.length).toBeGreaterThan(1);
  await quota.flush();
});

it("counts in memory during an outage of Redis", async () => {
  const redis = await openTestRedis("redis://127.0.0.1:1", "close");
  const quota = createSharedQuota({ redis, name: aName(), rate });
  expect(quota.spend("ann", 60)).toBe(true);
  expect(quota.spend("ann", 40)).toBe(true);
  expect(quota.spend("ann", 1)).toBe(false);
  await quota.flush();
  expect(quota.spend("ann", 1)).toBe(false);
});

it("remembers its own use if a report fails or Redis loses its data", async () => {
  const name = aName();
  const redis = await openTestRedis();
  const quota = createSharedQuota({ redis, name, rate });
  expect(quota.spend("ann", 50)).toBe(true);
  await quota.flush();
  await redis.del(`limit:${name}:ann`);
  expect(quota.spend("ann", 10)).toBe(true);
  await quota.flush();
  jest.spyOn(redis, "sendCommand").mockImplementationOnce(() => Promise.reject(new Error("timeout")));
  expect(quota.spend("ann", 30)).toBe(true);
  await quota.flush();
  expect(quota.spend("ann", 11)).toBe(false);
  expect(quota.spend("ann", 10)).toBe(true);
});

it("counts from 0 again when the window ends", async () => {
  const quota = createSharedQuota({ redis: await openTestRedis("redis://127.0.0.1:1", "close"), name: aName(), rate });
  expect(quota.spend("ann", 100)).toBe(true);
  expect(quota.spend("ann", 1)).toBe(false);
  jest.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000);
  expect(quota.spend("ann", 1)).toBe(true);
  jest.restoreAllMocks();
});

it("gets points back, also above the quota, and tells the other instances", async () => {
  const name = aName();
  const redis = await openTestRedis();
  const [here, there] = [createSharedQuota({ redis, name, rate }), createSharedQuota({ redis, name, rate })];
  expect(here.spend("ann", 60)).toBe(true);
  expect(there.spend("ann", 60)).toBe(true);
  await here.flush();
  await there.flush();
  expect(there.spend("ann", 1)).toBe(false);
  expect(there.spend("ann", -15)).toBe(true);
  // Each fiftieth of the quota is reported, in both directions, so no flush is needed.
  await until(async () => (await redis.get(`limit:${name}:ann`)) === "105");
  expect(there.spend("ann", -5)).toBe(true);
  expect(there.spend("ann", 1)).toBe(false);
  expect(there.spend("ann", -60)).toBe(true);
  expect(there.spend("ann", 60)).toBe(true);
});

it("counts use that an outage kept from Redis until the end of its window in no later one", async () => {
  const name = aName();
  const redis = await openTestRedis();
  const quota = createSharedQuota({ redis, name, rate });
  const status = jest.replaceProperty(redis, "status", "reconnecting");
  expect(quota.spend("ann", 80)).toBe(true);
  status.restore();
  jest.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000);
  expect(quota.spend("ann", 1)).toBe(true);
  await quota.flush();
  jest.restoreAllMocks();
  expect(await redis.get(`limit:${name}:ann`)).toBe("1");
});
