import type { ChainableCommander } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter } from "../telemetry/metrics.ts";
import { createSparseLog } from "../telemetry/sparseLog.ts";
import type { Redis } from "./redis.ts";
import { perShard, shardsOfChannel } from "./shards.ts";

const notPublished = new Counter({
  name: "messageoh_events_not_published_total",
  help: "Events that could not be published; svc-realtime backfills them from the database",
});

/**
 * An event for a channel. `unlessOnly` names the channel of one process: if no other process is subscribed, the event may be
 * skipped.
 */
export type Publication = readonly [channel: string, event: object, unlessOnly?: string];

/**
 * Publishes events to channels, in order per channel, with one write per shard. Resolves with the channels to which nobody
 * is subscribed, or with `null` if Redis has not accepted all events; these are logged, counted and dropped. It never
 * rejects.
 */
export type Publish = (events: readonly Publication[]) => Promise<ReadonlySet<string> | null>;

declare module "ioredis" {
  interface ChainableCommander {
    publishUnlessOnly(channel: string, event: string, subscriber: string): ChainableCommander;
  }
}
/** A process subscribes to its own channel first, so equal numbers of subscribers mean that there is no other one. */
const PUBLISH_UNLESS_ONLY =
  "local heard = redis.call('PUBSUB', 'NUMSUB', ARGV[1], ARGV[3]) " +
  "if heard[2] > heard[4] then return redis.call('PUBLISH', ARGV[1], ARGV[2]) end return heard[2]";

/** Returns a function that publishes events as JSON. */
export function createPublish(redis: Redis, logger: Logger): Publish {
  const logFailure = createSparseLog(logger);
  redis.defineCommand("publishUnlessOnly", { lua: PUBLISH_UNLESS_ONLY, numberOfKeys: 0 });

  /** Adds a command whose reply is the number of subscribers. */
  function add(commands: ChainableCommander, shard: string, channel: string, text: string, unlessOnly?: string): void {
    // In a cluster, only the number of subscribers of a sharded channel is complete.
    if (shard) commands.spublish(channel + shard, text);
    else if (unlessOnly === undefined) commands.publish(channel, text);
    else commands.publishUnlessOnly(channel, text, unlessOnly);
  }

  return async (events) => {
    let last: object | undefined;
    let text = "";
    const batches = new Map<string, { commands: ChainableCommander; channels: string[] }>();
    for (const [channel, event, unlessOnly] of events) {
      // An event for several channels is serialised once.
      if (event !== last) text = JSON.stringify(event);
      last = event;
      for (const shard of shardsOfChannel(redis, channel)) {
        let batch = batches.get(shard);
        if (!batch) {
          batch = { commands: redis.pipeline(), channels: [] };
          batches.set(shard, batch);
        }
        add(batch.commands, shard, channel, text, unlessOnly);
        batch.channels.push(channel);
      }
    }
    try {
      const unheard = [...batches.values()].map(async ({ commands, channels }) => {
        const replies = (await commands.exec()) ?? [];
        const failure = replies.find(([error]) => error)?.[0];
        if (failure) throw failure;
        return channels.filter((_, index) => replies[index]?.[1] === 0);
      });
      return new Set((await Promise.all(unheard)).flat());
    } catch (err) {
      notPublished.inc(events.length);
      logFailure("publish", { err }, "events not published");
      return null;
    }
  };
}

/** Takes the channels as keys, by which a cluster finds the node. */
const COUNT_SUBSCRIBERS = "return redis.call('PUBSUB', 'SHARDNUMSUB', unpack(KEYS))";

/** Returns the channels to which somebody is subscribed. Rejects if Redis cannot be reached. */
export async function findHeard(redis: Redis, channels: readonly string[]): Promise<Set<string>> {
  const counts = await perShard(redis, channels, async (names, shard) => {
    const keys = names.map((name) => name + shard);
    const reply = shard
      ? await redis.eval(COUNT_SUBSCRIBERS, keys.length, ...keys)
      : await redis.pubsub("NUMSUB", ...keys);
    return keys.map((_, index) => Number((reply as (string | number)[])[2 * index + 1]));
  });
  return new Set(channels.filter((_, index) => (counts[index] as number) > 0));
}
