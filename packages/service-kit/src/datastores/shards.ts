import { BEATS_CHANNEL } from "@messageoh/contracts/beat";
import { isCluster, type Redis } from "./redis.ts";

/**
 * The parts of a Redis Cluster by which this product spreads its keys and channels: hash tags, with their slots, one in
 * each sixteenth of the slots. Everything of one shard is in one slot, so it is on one node, whose events arrive in
 * order.
 */
export const SLOT_OF_SHARD: ReadonlyMap<string, number> = new Map([
  ["{18}", 511],
  ["{3}", 1584],
  ["{61}", 2369],
  ["{58}", 3387],
  ["{19}", 4574],
  ["{2}", 5649],
  ["{60}", 6496],
  ["{59}", 7450],
  ["{102}", 8465],
  ["{1}", 9842],
  ["{63}", 10499],
  ["{49}", 11819],
  ["{103}", 12592],
  ["{0}", 13907],
  ["{62}", 14626],
  ["{48}", 15882],
]);
const SHARDS = [...SLOT_OF_SHARD.keys()];
const ONE_NODE = [""];

/** Returns the hash tags of all shards; one empty text for a Redis that is no cluster. */
export const shardsOf = (redis: Redis): readonly string[] => (isCluster(redis) ? SHARDS : ONE_NODE);

/**
 * Returns the shard of a name, which is appended to it in Redis. Every process and every release returns the same one.
 */
export function shardOf(redis: Redis, name: string): string {
  if (!isCluster(redis)) return "";
  let hash = 0;
  for (let index = 0; index < name.length; index += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  return SHARDS[(hash >>> 0) % SHARDS.length] as string;
}

/**
 * Returns the shards of a channel: all for beats, because a beat says that the events of its own shard have arrived.
 */
export const shardsOfChannel = (redis: Redis, channel: string): readonly string[] =>
  channel === BEATS_CHANNEL ? shardsOf(redis) : [shardOf(redis, channel)];

/**
 * Runs one command per shard and returns its results in the order of the names, which may repeat each other.
 * @param run returns one result per name of a shard, whose names in Redis end with the shard
 */
export async function perShard<Result>(
  redis: Redis,
  names: readonly string[],
  run: (names: readonly string[], shard: string) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  if (!isCluster(redis)) return run(names, "");
  const byShard = Map.groupBy(names.keys(), (at) => shardOf(redis, names[at] as string));
  const results: Result[] = [];
  await Promise.all(
    [...byShard].map(async ([shard, places]) => {
      const part = await run(
        places.map((at) => names[at] as string),
        shard,
      );
      for (const [index, at] of places.entries()) results[at] = part[index] as Result;
    }),
  );
  return results;
}
