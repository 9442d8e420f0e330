import { Redis } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter, Gauge } from "../telemetry/metrics.ts";
import { createSparseLog } from "../telemetry/sparseLog.ts";

export type { Redis };

/** Longest time without a response of Redis, in milliseconds. */
const SILENCE_MAX_MS = 3_000;

const connections = new Set<Redis>();
new Gauge({
  name: "messageoh_redis_connected",
  help: "1 if every connection of this process to Redis is ready, otherwise 0",
  collect() {
    this.set([...connections].every((redis) => redis.status === "ready") ? 1 : 0);
  },
});
const reconnects = new Counter({
  name: "messageoh_redis_reconnects_total",
  help: "Connections to Redis that were lost and restored",
});
const notPublished = new Counter({
  name: "messageoh_events_not_published_total",
  help: "Events that could not be published; svc-realtime backfills them from the database",
});
const gaps = new Counter({
  name: "messageoh_event_gaps_total",
  help: "Interruptions of a subscription; missed events are backfilled from the database",
});

export interface RedisOptions {
  /** Whether commands are queued during an outage and sent afterwards, for libraries that need it. */
  keepsCommands?: boolean;
}

/**
 * Returns a connection to Redis that reconnects without limit, with a backoff of at most 1 s. During an outage,
 * commands fail at once unless `keepsCommands` is set, because lost events are backfilled from the database.
 * @param name name of the connection in the logs and in Redis
 */
export function connectRedis(
  url: string,
  logger: Logger,
  name: string,
  { keepsCommands = false }: RedisOptions = {},
): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    enableOfflineQueue: keepsCommands,
    maxRetriesPerRequest: keepsCommands ? null : 0,
    // A frozen server neither responds nor closes the connection. The timeout closes it and drops the commands that
    // were not sent.
    socketTimeout: keepsCommands ? undefined : SILENCE_MAX_MS,
    // createSubscriber subscribes again itself, because it must know when the subscription is restored.
    autoResubscribe: keepsCommands,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
  });
  connections.add(redis);
  redis.on("end", () => connections.delete(redis));
  let wasReady = false;
  redis.on("ready", () => {
    if (wasReady) reconnects.inc();
    logger[wasReady ? "warn" : "debug"](
      { redis: name },
      wasReady ? "Redis connection restored" : "Redis connection ready",
    );
    wasReady = true;
  });
  redis.on("error", (err) => logger.debug({ err, redis: name }, "Redis connection failed"));
  redis.on("close", () => logger.debug({ redis: name }, "Redis connection closed"));
  return redis;
}

/**
 * An event for a channel. With `unlessOnly`, the name of another channel, it is skipped if only the subscriber of that
 * channel would get it.
 */
export type Publication = readonly [channel: string, event: object, unlessOnly?: string];

/**
 * Publishes events to channels, in order, with one write. Resolves with the channels to which nobody is subscribed, or
 * with `null` if Redis has not accepted all events; these are logged, counted and dropped. It never rejects.
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
  return async (events) => {
    let last: object | undefined;
    let text = "";
    const commands = redis.pipeline();
    for (const [channel, event, unlessOnly] of events) {
      // An event for several channels is serialised once.
      if (event !== last) text = JSON.stringify(event);
      last = event;
      if (unlessOnly === undefined) commands.publish(channel, text);
      else commands.publishUnlessOnly(channel, text, unlessOnly);
    }
    try {
      const replies = (await commands.exec()) ?? [];
      const failure = replies.find(([error]) => error)?.[0];
      if (failure) throw failure;
      return new Set(events.flatMap(([channel], index) => (replies[index]?.[1] === 0 ? [channel] : [])));
    } catch (err) {
      notPublished.inc(events.length);
      logFailure("publish", { err }, "events not published");
      return null;
    }
  };
}

/** Returns the channels to which somebody is subscribed. Rejects if Redis cannot be reached. */
export async function findHeard(redis: Redis, channels: readonly string[]): Promise<Set<string>> {
  const counts = (await redis.pubsub("NUMSUB", ...channels)) as (string | number)[];
  return new Set(channels.filter((_, index) => Number(counts[2 * index + 1]) > 0));
}

export interface SubscriberOptions {
  /** Called with each event as it was published. An error that it throws is logged. */
  onEvent: (channel: string, event: string) => void;
  /**
   * Called when all channels are subscribed after an interruption, or for the first time if channels were added before.
   * Events in between were missed.
   */
  onRestored?: () => void;
  /** Called when the subscription is interrupted. */
  onLost?: () => void;
}

export type Subscriber = ReturnType<typeof createSubscriber>;

/** Creates a subscriber to a changing set of channels. It subscribes to them again after every interruption. */
export function createSubscriber(redis: Redis, logger: Logger, { onEvent, onRestored, onLost }: SubscriberOptions) {
  const wanted = new Set<string>();
  let hasMissedEvents = false;
  let isLive = false;

  redis.on("message", (channel: string, event: string) => {
    try {
      onEvent(channel, event);
    } catch (err) {
      logger.error({ err, channel }, "event handler failed");
    }
  });
  redis.on("close", () => {
    if (!isLive) return;
    isLive = false;
    hasMissedEvents = true;
    gaps.inc();
    onLost?.();
  });
  const onReady = async () => {
    try {
      if (wanted.size > 0) await redis.subscribe(...wanted);
      isLive = true;
      if (hasMissedEvents) onRestored?.();
      hasMissedEvents = false;
    } catch (err) {
      logger.warn({ err }, "subscription failed");
      redis.disconnect(true);
    }
  };
  redis.on("ready", onReady);
  // A subscriber gets no error when the server freezes, so ping it.
  const heartbeat = setInterval(() => {
    if (isLive) redis.ping().catch(() => redis.disconnect(true));
  }, SILENCE_MAX_MS).unref();
  redis.on("end", () => clearInterval(heartbeat));
  if (redis.status === "ready") void onReady();

  return {
    /** Returns whether all channels are subscribed. */
    isLive: () => isLive,
    /**
     * Subscribes to a channel. Resolves at once during an outage; the channel is then subscribed when Redis is back.
     */
    async add(channel: string): Promise<void> {
      wanted.add(channel);
      if (!isLive) hasMissedEvents = true;
      // A failed command may or may not have subscribed, so subscribe to all channels again.
      if (redis.status === "ready") await redis.subscribe(channel).catch(() => redis.disconnect(true));
    },
    /** Unsubscribes from a channel. */
    remove(channel: string): void {
      wanted.delete(channel);
      if (redis.status === "ready") redis.unsubscribe(channel).catch(() => {});
    },
  };
}
