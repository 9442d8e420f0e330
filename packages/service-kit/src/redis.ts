import { Redis } from "ioredis";
import type { Logger } from "./logger.ts";

export type { Redis };

/**
 * A connection to Redis that comes back by itself, quickly and for ever. Commands given while it is away fail at once
 * instead of piling up: events on it are a fast path, and what is missed is repaired from the database.
 */
export function connectRedis(url: string, logger: Logger, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: true,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
  });
  let wasReady = false;
  redis.on("ready", () => {
    logger[wasReady ? "warn" : "debug"]({ redis: name }, wasReady ? "Redis is back" : "Redis is ready");
    wasReady = true;
  });
  redis.on("error", (err) => logger.debug({ err, redis: name }, "Redis connection failed"));
  redis.on("close", () => logger.debug({ redis: name }, "Redis connection closed"));
  return redis;
}

/** Waits until the connection can be used. */
export async function untilReady(redis: Redis): Promise<void> {
  while (redis.status !== "ready") await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Sends events to channels, in order. What Redis cannot take is dropped with a log line: see {@link connectRedis}. */
export type Publish = (events: readonly (readonly [channel: string, event: object])[]) => void;

/** Makes the publishing side of a service: one round trip for all events of one call, which nobody waits for. */
export function createPublish(redis: Redis, logger: Logger): Publish {
  return (events) => {
    if (events.length === 0) return;
    const pipeline = redis.pipeline();
    for (const [channel, event] of events) pipeline.publish(channel, JSON.stringify(event));
    pipeline.exec().catch((err) => logger.warn({ err, events: events.length }, "events not published"));
  };
}
