import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { z } from "zod";
import type { Redis } from "../datastores/redis.ts";
import { type HttpError, tooMany } from "../errors.ts";
import { Counter } from "../telemetry/metrics.ts";
import { createWindows, type Rate, type Windows } from "./windows.ts";

export type { Rate };

/** A setting such as `5/900`: at most 5 in 900 seconds. */
export const rateSetting = (fallback: `${number}/${number}`) =>
  z
    .string()
    .regex(/^[1-9]\d*\/[1-9]\d*$/, "Write it as COUNT/SECONDS, for instance 5/900")
    .default(fallback)
    .transform((text): Rate => {
      const [count, seconds] = text.split("/").map(Number);
      return { count: count as number, seconds: seconds as number };
    });

/** What was refused because it was too much, by limit. */
export const limited = new Counter({
  name: "messageoh_limited_total",
  help: "What was refused because it was too much",
  labelNames: ["limit"],
});

export interface LocalRateLimitOptions {
  /** Names the limit in the metrics and in Redis. */
  name: string;
  rate: Rate;
  /** What the refused caller reads; it ends with how long to wait. */
  text: string;
}

export interface RateLimitOptions extends LocalRateLimitOptions {
  redis: Redis;
  /** `giveBack` is used: a key over its limit may be below it again before the time is over. */
  isReturnable?: boolean;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * A limit that all instances share through Redis. While Redis is away each instance counts for itself, and what is over
 * the limit already is refused from memory, without a question to Redis.
 */
export function createRateLimit({ redis, name, rate, text, isReturnable = false }: RateLimitOptions) {
  const limiter = new RateLimiterRedis({
    keyPrefix: `limit:${name}`,
    points: rate.count,
    duration: rate.seconds,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    ...(isReturnable ? {} : { inMemoryBlockOnConsumed: rate.count }),
  });
  const local = createWindows(rate);
  return {
    /** Counts one; refuses it with 429 when it is one too many. */
    async take(key: string): Promise<void> {
      try {
        await limiter.consume(key);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw refusal(name, text, refused.msBeforeNext);
        takeFrom(local, key, 1, name, text);
      }
    },
    /** Takes one back that turned out not to count. */
    async giveBack(key: string): Promise<void> {
      await limiter.reward(key).catch(() => local.spend(key, -1));
    },
    /** Counts from nought again. */
    async forget(key: string): Promise<void> {
      local.forget(key);
      await limiter.delete(key).catch(() => {});
    },
  };
}

/** A limit in the memory of this process: for ordinary calls, which must not wait for Redis. */
export function createLocalRateLimit({ name, rate, text }: LocalRateLimitOptions) {
  const windows = createWindows(rate);
  return {
    /** Counts `points`, one by default; refuses with 429 what is too much. */
    take: (key: string, points = 1): void => takeFrom(windows, key, points, name, text),
    /** Counts points without refusing. */
    charge: (key: string, points: number) => void windows.spend(key, points),
  };
}

function takeFrom(windows: Windows, key: string, points: number, limit: string, text: string): void {
  const { excess, msLeft } = windows.spend(key, points);
  if (excess > 0) throw refusal(limit, text, msLeft);
}

function refusal(limit: string, text: string, waitMs: number): HttpError {
  limited.inc({ limit });
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return tooMany(`${text}. Please try again ${inWords(seconds)}`, seconds);
}

/** How long to wait, as a person says it. */
export function inWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? "in a second" : `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
