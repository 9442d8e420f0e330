import { Redis, type Result } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter, Gauge } from "../telemetry/metrics.ts";

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
    // A frozen server neither responds nor closes the connection.
    commandTimeout: keepsCommands ? undefined : SILENCE_MAX_MS,
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
 * Publishes events to channels, in order. Events that Redis does not accept are logged, counted and dropped.
 * @param onUnheard called with the channels to which nobody is subscribed, if there are any
 */
export type Publish = (
  events: readonly (readonly [channel: string, event: object])[],
  onUnheard?: (channels: ReadonlySet<string>) => void,
) => void;

declare module "ioredis" {
  interface RedisCommander<Context> {
    publishAll(...channelsAndEvents: string[]): Result<string[], Context>;
  }
}
const PUBLISH_ALL =
  "local unheard = {} for i = 1, #ARGV, 2 do " +
  "if redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) == 0 then unheard[#unheard + 1] = ARGV[i] end end return unheard";

/**
 * Returns a function that publishes events as JSON: one command for all events of a call, not awaited.
 */
export function createPublish(redis: Redis, logger: Logger): Publish {
  redis.defineCommand("publishAll", { lua: PUBLISH_ALL, numberOfKeys: 0 });
  return (events, onUnheard) => {
    if (events.length === 0) return;
    let last: object | undefined;
    let text = "";
    const parts = events.flatMap(([channel, event]) => {
      // An event for several channels is serialised once.
      if (event !== last) text = JSON.stringify(event);
      last = event;
      return [channel, text];
    });
    redis.publishAll(...parts).then(
      (channels) => {
        if (channels.length > 0) onUnheard?.(new Set(channels));
      },
      (err) => {
        notPublished.inc(events.length);
        logger.warn({ err, events: events.length }, "events not published");
      },
    );
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
      // After a failed command it is unknown whether the channel is subscribed, so subscribe to all of them again.
      if (redis.status === "ready") await redis.subscribe(channel).catch(() => redis.disconnect(true));
    },
    /** Unsubscribes from a channel. */
    remove(channel: string): void {
      wanted.delete(channel);
      if (redis.status === "ready") redis.unsubscribe(channel).catch(() => {});
    },
  };
}
