import { combineCalls } from "@messageoh/service-kit/combineCalls";
import type { Redis } from "@messageoh/service-kit/redis";
import { perShard } from "@messageoh/service-kit/shards";

/** Users of one script, which runs while all other clients of Redis wait. */
const USERS_PER_SCRIPT = 500;
const WAITING_MAX = 100_000;

const onlineKey = (userId: string) => `online:${userId}`;

/** Times are those of Redis, because the clocks of the instances may differ. */
const NOW = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000) ";
const COUNT = "redis.call('ZREMRANGEBYSCORE', key, '-inf', now) counts[i] = redis.call('ZCARD', key) ";
const forEachKey = (body: string) =>
  `${NOW}local counts = {} for i, key in ipairs(KEYS) do ${COUNT}${body} end return counts`;

const FIND = forEachKey("");
const ADD = forEachKey(
  "redis.call('ZADD', key, now + ARGV[2], ARGV[1]) " +
    "if redis.call('PTTL', key) < tonumber(ARGV[2]) then redis.call('PEXPIRE', key, ARGV[2]) end",
);
const REMOVE = `${NOW}local counts = {} for i, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) ${COUNT}end return counts`;

/**
 * Creates the access to the list of online users in Redis: one sorted set per user with the instances that hold sockets
 * of that user, scored by the time at which the entry expires. Entries of a crashed instance expire without a clean-up.
 * Calls of one turn of the event loop share a command per shard.
 */
export function createOnlineUsers(redis: Redis, instance: string, entryMs: number) {
  const run = (script: string, userIds: readonly string[], ...args: (string | number)[]) =>
    perShard(redis, userIds, async (ids, shard) => {
      const keys = ids.map((id) => onlineKey(id) + shard);
      return (await redis.eval(script, keys.length, ...keys, ...args)) as number[];
    });
  const limits = { itemsMax: USERS_PER_SCRIPT, waitingMax: WAITING_MAX, running: 4 };
  const add = combineCalls((ids: string[]) => run(ADD, ids, instance, entryMs), limits);
  const remove = combineCalls((ids: string[]) => run(REMOVE, ids, instance), limits);
  const find = combineCalls((ids: string[]) => run(FIND, ids), limits);

  return {
    /**
     * Adds or renews the entry of this instance. Resolves with whether the user had no entry; rejects without Redis.
     */
    add: async (userId: string): Promise<boolean> => (await add(userId)) === 0,
    /** Removes the entry of this instance. Resolves with whether the user has no other entry; rejects without Redis. */
    remove: async (userId: string): Promise<boolean> => (await remove(userId)) === 0,
    /** Returns whether the user has a socket on any instance; rejects without Redis. */
    has: async (userId: string): Promise<boolean> => (await find(userId)) > 0,
    /** Lets the entries of this instance expire after a time in milliseconds. */
    async expire(userIds: readonly string[], ms: number): Promise<void> {
      for (let start = 0; start < userIds.length; start += USERS_PER_SCRIPT) {
        await run(ADD, userIds.slice(start, start + USERS_PER_SCRIPT), instance, ms);
      }
    },
  };
}
