import type { Cluster } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter } from "../telemetry/metrics.ts";
import { isCluster, type Redis, type RedisNode } from "./redis.ts";
import { connectToShard } from "./shardConnection.ts";
import { shardsOfChannel } from "./shards.ts";

const gaps = new Counter({
  name: "messageoh_event_gaps_total",
  help: "Interruptions of a subscription; missed events are backfilled from the database",
});

export interface SubscriberOptions {
  /**
   * Called with each event as it was published, and the shard from which it came; see `shardsOf`. An error that it
   * throws is logged.
   */
  onEvent: (channel: string, event: string, shard: string) => void;
  /**
   * Called when all channels are subscribed after an interruption, or for the first time if channels were added before.
   * Events in between were missed.
   */
  onRestored?: () => void;
  /** Called when the subscription is interrupted, in a cluster also if that concerns one shard. */
  onLost?: () => void;
}

export interface Subscriber {
  /** Returns whether all channels are subscribed. */
  isLive: () => boolean;
  /** Subscribes to a channel. Resolves at once during an outage; the channel is then subscribed when Redis is back. */
  add: (channel: string) => Promise<void>;
  /** Unsubscribes from a channel. */
  remove: (channel: string) => void;
}

/** Creates a subscriber to a changing set of channels. It subscribes to them again after every interruption. */
export function createSubscriber(redis: Redis, logger: Logger, options: SubscriberOptions): Subscriber {
  if (!isCluster(redis)) return subscribeOn(redis, "", logger, options);
  const shards = new Map<string, Subscriber>();
  const isLive = () => [...shards.values()].every((shard) => shard.isLive());
  const { onEvent, onLost, onRestored } = options;
  const handlers = { onEvent, onLost: () => onLost?.(), onRestored: () => isLive() && onRestored?.() };
  function open(shard: string): Subscriber {
    const subscriber =
      shards.get(shard) ?? subscribeOn(connectToShard(redis as Cluster, shard, logger), shard, logger, handlers);
    shards.set(shard, subscriber);
    return subscriber;
  }
  return {
    isLive,
    async add(channel) {
      await Promise.all(shardsOfChannel(redis, channel).map((shard) => open(shard).add(channel)));
    },
    remove(channel) {
      for (const shard of shardsOfChannel(redis, channel)) shards.get(shard)?.remove(channel);
    },
  };
}

/** Subscribes on one connection. The names of sharded channels end with the shard. */
function subscribeOn(redis: RedisNode, shard: string, logger: Logger, options: SubscriberOptions): Subscriber {
  const { onEvent, onRestored, onLost } = options;
  const wanted = new Set<string>();
  let hasMissedEvents = false;
  let isOpen = false;
  let isLive = false;
  /** Resolves when the first connection has subscribed or failed. */
  const attempt = Promise.withResolvers<void>();
  const subscribe = (channels: string[]) => (shard ? redis.ssubscribe(...channels) : redis.subscribe(...channels));
  const unsubscribe = (channel: string) => (shard ? redis.sunsubscribe(channel) : redis.unsubscribe(channel));

  redis.on(shard ? "smessage" : "message", (name: string, event: string) => {
    const channel = shard ? name.slice(0, -shard.length) : name;
    try {
      onEvent(channel, event, shard);
    } catch (err) {
      logger.error({ err, channel }, "event handler failed");
    }
  });
  redis.on("close", () => {
    attempt.resolve();
    isOpen = false;
    if (!isLive) return;
    isLive = false;
    hasMissedEvents = true;
    gaps.inc();
    onLost?.();
  });
  const onReady = async () => {
    try {
      // A replica accepts the subscription, but the publishers do not count it. It redirects this read.
      if (shard) await redis.exists(shard);
      isOpen = true;
      if (wanted.size > 0) await subscribe([...wanted]);
      isLive = true;
      if (hasMissedEvents) onRestored?.();
      hasMissedEvents = false;
      attempt.resolve();
    } catch (err) {
      logger.warn({ err }, "subscription failed");
      redis.disconnect(true);
    }
  };
  redis.on("ready", onReady);
  if (redis.status === "ready") void onReady();

  return {
    isLive: () => isLive,
    async add(channel) {
      const name = channel + shard;
      wanted.add(name);
      if (!isLive) hasMissedEvents = true;
      // A failed command may or may not have subscribed, so subscribe to all channels again.
      if (isOpen) await subscribe([name]).catch(() => redis.disconnect(true));
      // A shard is connected when the first channel needs it.
      else if (shard && redis.status !== "wait") await attempt.promise;
    },
    remove(channel) {
      const name = channel + shard;
      wanted.delete(name);
      if (isOpen) unsubscribe(name).catch(() => {});
    },
  };
}
