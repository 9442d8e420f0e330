import { connectRedis, type Redis } from "../src/datastores/redis.ts";
import { datastoreUrl, silentLogger } from "./datastores.ts";

const open: Redis[] = [];
afterEach(() => {
  for (const redis of open.splice(0)) redis.disconnect();
});

/**
 * Connects to Redis for one test, by default to the Redis of the tests. Resolves at the first event of the given name.
 */
export async function openTestRedis(url = datastoreUrl("REDIS"), awaited = "ready"): Promise<Redis> {
  const redis = connectRedis(url, silentLogger, "test");
  open.push(redis);
  await new Promise<void>((resolve) => redis.once(awaited, () => resolve()));
  return redis;
}
