import { combineCalls } from "@messageoh/service-kit/combineCalls";
import type { Redis } from "@messageoh/service-kit/redis";
import { perShard, shardOf } from "@messageoh/service-kit/shards";

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const LIMITS = { itemsMax: 500, waitingMax: 100_000, running: 4 };

const seenKey = (userId: string) => `seen:${userId}`;

/**
 * Creates the access to the time at which each user was last online, in Redis. It is written once per departure.
 * Without Redis it is unknown, and the header of the thread shows nothing.
 */
export function createLastSeen(redis: Redis) {
  const find = combineCalls(
    (ids: string[]) => perShard(redis, ids, (part, shard) => redis.mget(part.map((id) => seenKey(id) + shard))),
    LIMITS,
  );
  return {
    write(userId: string, at: string): void {
      redis.set(seenKey(userId) + shardOf(redis, userId), at, "PX", KEPT_MS).catch(() => {});
    },
    find: async (userId: string): Promise<string | undefined> => (await find(userId).catch(() => null)) ?? undefined,
  };
}
