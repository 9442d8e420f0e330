import { connectRedis, isCluster, type Redis } from "../src/datastores/redis.ts";
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

/** Cuts a connection to Redis; in a cluster, those of its subscriber to all shards. */
export async function cutRedis(redis: Redis): Promise<void> {
  if (!isCluster(redis)) return void redis.stream.destroy();
  const name = ` name=${redis.options.redisOptions?.connectionName}{`;
  for (const node of redis.nodes("master")) {
    const clients = String(await node.client("LIST")).split("\n");
    for (const client of clients.filter((line) => line.includes(name))) {
      await node.client("KILL", "ID", client.match(/\d+/)?.[0] as string);
    }
  }
}
