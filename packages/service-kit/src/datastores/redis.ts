import { Redis } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter, Gauge } from "../telemetry/metrics.ts";

export type { Redis };

const SILENCE_MAX_MS = 3_000;

const connections = new Set<Redis>();
new Gauge({
  name: "messageoh_redis_connected",
  help: "1 while every connection of this process to Redis is ready",
  collect() {
    this.set([...connections].every((redis) => redis.status === "ready") ? 1 : 0);
  },
});
const reconnects = new Counter({
  name: "messageoh_redis_reconnects_total",
  help: "Connections to Redis that were lost and came back",
});
const notPublished = new Counter({
  name: "messageoh_events_not_published_total",
  help: "Events that Redis did not take; readers learn of their content from the database",
});
const gaps = new Counter({
  name: "messageoh_event_gaps_total",
  help: "Times from which on no events were heard: what was said meanwhile is fetched afterwards",
});

export interface RedisOptions {
  /** Keep commands given while Redis is away and send them later, for a library that cannot cope otherwise. */
  keepsCommands?: boolean;
}

/**
 * A connection to Redis that comes back by itself, quickly and for ever. Commands given while it is away fail at once
 * instead of piling up: events on it are a fast path, and what is missed is repaired from the database.
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
    // A server that is frozen answers nothing and closes nothing: a command is given up after a while.
    commandTimeout: keepsCommands ? undefined : SILENCE_MAX_MS,
    // createSubscriber subscribes again itself, to know from when on it hears.
    autoResubscribe: keepsCommands,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
  });
  connections.add(redis);
  redis.on("end", () => connections.delete(redis));
  let wasReady = false;
  redis.on("ready", () => {
    if (wasReady) reconnects.inc();
    logger[wasReady ? "warn" : "debug"]({ redis: name }, wasReady ? "Redis is back" : "Redis is ready");
    wasReady = true;
  });
  redis.on("error", (err) => logger.debug({ err, redis: name }, "Redis connection failed"));
  redis.on("close", () => logger.debug({ redis: name }, "Redis connection closed"));
  return redis;
}

/** Sends events to channels, in order. What Redis cannot take is dropped with a log line: see {@link connectRedis}. */
export type Publish = (events: readonly (readonly [channel: string, event: object | string])[]) => void;

const PUBLISH_ALL = "for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end";

/**
 * Makes the publishing side of a service: one command for all events of one call, which nobody waits for. An event is
 * sent as JSON, or as it is when it is a text already.
 */
export function createPublish(redis: Redis, logger: Logger): Publish {
  redis.defineCommand("publishAll", { lua: PUBLISH_ALL, numberOfKeys: 0 });
  const { publishAll } = redis as unknown as { publishAll: (...channelsAndEvents: string[]) => Promise<null> };
  return (events) => {
    if (events.length === 0) return;
    const parts = events.flatMap(([channel, event]) => [
      channel,
      typeof event === "string" ? event : JSON.stringify(event),
    ]);
    publishAll.apply(redis, parts).catch((err) => {
      notPublished.inc(events.length);
      logger.warn({ err, events: events.length }, "events not published");
    });
  };
}

export interface SubscriberOptions {
  /** Each event as it came; throws are logged. */
  onEvent: (channel: string, event: string) => void;
  /** All channels are heard again after an interruption: what was said meanwhile is lost. */
  onRestored?: () => void;
  /** From now on nothing is heard. */
  onLost?: () => void;
}

export type Subscriber = ReturnType<typeof createSubscriber>;

/** The listening side of a service: a set of channels that may change, heard again after every interruption. */
export function createSubscriber(redis: Redis, logger: Logger, { onEvent, onRestored, onLost }: SubscriberOptions) {
  const wanted = new Set<string>();
  let wasLost = false;
  let isLive = false;

  redis.on("message", (channel: string, event: string) => {
    try {
      onEvent(channel, event);
    } catch (err) {
      logger.error({ err, channel }, "event not handled");
    }
  });
  redis.on("close", () => {
    if (!isLive) return;
    isLive = false;
    wasLost = true;
    gaps.inc();
    onLost?.();
  });
  const onReady = async () => {
    try {
      if (wanted.size > 0) await redis.subscribe(...wanted);
      isLive = true;
      if (wasLost) onRestored?.();
      wasLost = false;
    } catch (err) {
      logger.warn({ err }, "could not subscribe");
      redis.disconnect(true);
    }
  };
  redis.on("ready", onReady);
  // Who only listens does not notice by itself that nobody speaks any more.
  const heartbeat = setInterval(() => {
    if (isLive) redis.ping().catch(() => redis.disconnect(true));
  }, SILENCE_MAX_MS).unref();
  redis.on("end", () => clearInterval(heartbeat));
  if (redis.status === "ready") void onReady();

  return {
    isLive: () => isLive,
    /** Resolves when the channel is heard, or at once while Redis is away: then it is heard from its return on. */
    async add(channel: string): Promise<void> {
      wanted.add(channel);
      if (redis.status === "ready") await redis.subscribe(channel).catch(() => {});
    },
    remove(channel: string): void {
      wanted.delete(channel);
      if (redis.status === "ready") redis.unsubscribe(channel).catch(() => {});
    },
  };
}
