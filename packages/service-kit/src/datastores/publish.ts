import type { ChainableCommander } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter } from "../telemetry/metrics.ts";
import { createSparseLog } from "../telemetry/sparseLog.ts";
import { isCluster, type Redis } from "./redis.ts";
import { perShard, shardsOfChannel } from "./shards.ts";

const notPublished = new Counter({
  name: "messageoh_events_not_published_total",
  help: "Events that could not be published; svc-realtime backfills them from the database",
});

/**
 * An event for a channel. `unlessOnly` names the channel of one process: if no other process is subscribed, the event
 * may be skipped.
 */
export type Publication = readonly [channel: string, event: object, unlessOnly?: string];

/**
 * Publishes events to channels, in order per channel, with one write per shard; those with `unlessOnly` after the
 * others. Resolves with the channels of published events to which nobody is subscribed, or with `null` if Redis has not
 * accepted all events; these are logged, counted and dropped. It never rejects.
 */
export type Publish = (events: readonly Publication[]) => Promise<ReadonlySet<string> | null>;

/** Returns a function that publishes events as JSON. */
export function createPublish(redis: Redis, logger: Logger): Publish {
  const logFailure = createSparseLog(logger);

  async function send(events: readonly Publication[]): Promise<string[]> {
    let last: object | undefined;
    let text = "";
    const batches = new Map<string, { commands: ChainableCommander; channels: string[] }>();
    for (const [channel, event] of events) {
      // An event for several channels is serialised once.
      if (event !== last) text = JSON.stringify(event);
      last = event;
      for (const shard of shardsOfChannel(redis, channel)) {
        let batch = batches.get(shard);
        if (!batch) {
          batch = { commands: redis.pipeline(), channels: [] };
          batches.set(shard, batch);
        }
        // The reply is the number of subscribers. In a cluster, only that of a sharded channel is complete.
        if (shard) batch.commands.spublish(channel + shard, text);
        else batch.commands.publish(channel, text);
        batch.channels.push(channel);
      }
    }
    const unheard = [...batches.values()].map(async ({ commands, channels }) => {
      const replies = (await commands.exec()) ?? [];
      const failure = replies.find(([error]) => error)?.[0];
      if (failure) throw failure;
      return channels.filter((_, index) => replies[index]?.[1] === 0);
    });
    return (await Promise.all(unheard)).flat();
  }

  return async (events) => {
    const always = events.filter(([, , unlessOnly]) => unlessOnly === undefined);
    const sometimes = events.filter(([, , unlessOnly]) => unlessOnly !== undefined);
    try {
      const unheard = [send(always), findHeardElsewhere(redis, sometimes).then(send)];
      return new Set((await Promise.all(unheard)).flat());
    } catch (err) {
      notPublished.inc(events.length);
      logFailure("publish", { err }, "events not published");
      return null;
    }
  };
}

/**
 * Returns the events that another process than the named one may hear. A process subscribes to its own channel first,
 * so equal numbers of subscribers mean that there is no other one.
 */
async function findHeardElsewhere(redis: Redis, events: readonly Publication[]): Promise<readonly Publication[]> {
  // The numbers of two shards are not of the same moment.
  if (events.length === 0 || isCluster(redis)) return events;
  const names = [...new Set(events.flatMap(([channel, , own]) => [channel, own as string]))];
  const counts = await countSubscribers(redis, names);
  const countOf = new Map(names.map((name, index) => [name, counts[index] as number]));
  return events.filter(([channel, , own]) => Number(countOf.get(channel)) > Number(countOf.get(own as string)));
}

/** Takes the channels as keys, by which a cluster finds the node. */
const COUNT_SUBSCRIBERS = "return redis.call('PUBSUB', 'SHARDNUMSUB', unpack(KEYS))";

/** Returns the numbers of subscribers of channels. Rejects if Redis cannot be reached. */
const countSubscribers = (redis: Redis, channels: readonly string[]): Promise<readonly number[]> =>
  perShard(redis, channels, async (names, shard) => {
    const keys = names.map((name) => name + shard);
    const reply = shard
      ? await redis.eval(COUNT_SUBSCRIBERS, keys.length, ...keys)
      : await redis.pubsub("NUMSUB", ...keys);
    return keys.map((_, index) => Number((reply as (string | number)[])[2 * index + 1]));
  });

/** Returns the channels to which somebody is subscribed. Rejects if Redis cannot be reached. */
export async function findHeard(redis: Redis, channels: readonly string[]): Promise<Set<string>> {
  const counts = await countSubscribers(redis, channels);
  return new Set(channels.filter((_, index) => (counts[index] as number) > 0));
}
