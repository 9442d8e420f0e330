import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import * as v from "valibot";
import type { Redis } from "../datastores/redis.ts";
import { type HttpError, tooMany } from "../http/errors.ts";
import { Counter } from "../telemetry/metrics.ts";
import { createFixedWindows, type FixedWindows, type Rate } from "./fixedWindows.ts";

export type { Rate };

/**
 * Returns the schema of a rate setting in the form COUNT/SECONDS, for example `5/900`: at most 5 in 900 seconds.
 * @param fallback the rate if the setting is missing
 * @param counts the uses that it limits
 */
export const rateSetting = (fallback: `${number}/${number}`, counts = "") =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.regex(/^[1-9]\d*\/[1-9]\d*$/, "Write it as COUNT/SECONDS, for instance 5/900"),
    v.transform((text): Rate => {
      const [count, seconds] = text.split("/").map(Number);
      return { count: count as number, seconds: seconds as number };
    }),
    v.description(counts),
  );

/** Refused requests and events, by limit. */
export const limited = new Counter({
  name: "messageoh_limited_total",
  help: "Requests and events that a rate limit refused",
  labelNames: ["limit"],
});

export interface LocalRateLimitOptions {
  /** Name of the limit in the metrics and in Redis. */
  name: string;
  rate: Rate;
  /** Error text for a refused caller, without a full stop. The time to wait is added to it. */
  text: string;
}

export interface RateLimitOptions extends LocalRateLimitOptions {
  redis: Redis;
  /** Whether `giveBack` is used. A key over its limit may then be below it before its window ends. */
  isReturnable?: boolean;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * Creates a rate limit that all instances share through Redis. During an outage of Redis, each instance counts in
 * memory. A key that exceeded its limit is refused from memory until its window ends, unless the limit is returnable.
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
  const local = createFixedWindows(rate);
  return {
    /** Counts one use of a key. Rejects with an {@link HttpError} 429 above the limit. */
    async take(key: string): Promise<void> {
      try {
        await limiter.consume(key);
      } catch (reason) {
        if (reason instanceof RateLimiterRes) throw refusal(name, text, reason.msBeforeNext);
        takeFrom(local, key, name, text);
      }
    },
    /** Subtracts one use of a key, which then does not count. */
    async giveBack(key: string): Promise<void> {
      await limiter.reward(key).catch(() => local.spend(key, -1));
    },
    /** Resets the count of a key to 0. */
    async forget(key: string): Promise<void> {
      local.forget(key);
      await limiter.delete(key).catch(() => {});
    },
  };
}

/** Creates a rate limit in the memory of this process, for frequent calls that must not wait for Redis. */
export function createLocalRateLimit({ name, rate, text }: LocalRateLimitOptions) {
  const windows = createFixedWindows(rate);
  return {
    /** Counts one use of a key. Throws an {@link HttpError} 429 above the limit. */
    take: (key: string): void => takeFrom(windows, key, name, text),
    /** Counts points of a key without refusing. */
    charge: (key: string, points: number) => void windows.spend(key, points),
  };
}

function takeFrom(windows: FixedWindows, key: string, limit: string, text: string): void {
  const { excess, msLeft } = windows.spend(key, 1);
  if (excess > 0) throw refusal(limit, text, msLeft);
}

function refusal(limit: string, text: string, waitMs: number): HttpError {
  limited.inc({ limit });
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return tooMany(`${text}. Please try again ${formatWait(seconds)}`, seconds);
}

/** Returns the time to wait as a text, for example `in 30 seconds` or `in 4 minutes`. */
export function formatWait(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? "in a second" : `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
