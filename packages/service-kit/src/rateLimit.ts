import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { z } from "zod";
import { tooMany } from "./errors.ts";
import { Counter } from "./metrics.ts";
import type { Redis } from "./redis.ts";

/** At most `count` in `seconds`. */
export interface Rate {
  count: number;
  seconds: number;
}

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
  const options = { keyPrefix: `limit:${name}`, points: rate.count, duration: rate.seconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    ...(isReturnable ? {} : { inMemoryBlockOnConsumed: rate.count }),
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return {
    /** Counts one; refuses it with 429 when it is one too many. */
    take: (key: string): Promise<void> => takeFrom(limiter, key, name, text),
    /** Takes one back that turned out not to count. */
    async giveBack(key: string): Promise<void> {
      await limiter.reward(key);
    },
    /** Counts from nought again. */
    async forget(key: string): Promise<void> {
      await limiter.delete(key);
    },
  };
}

/** A limit in the memory of this process: for ordinary calls, which must not wait for Redis. */
export function createLocalRateLimit({ name, rate, text }: LocalRateLimitOptions): Pick<RateLimit, "take"> {
  const limiter = new RateLimiterMemory({ points: rate.count, duration: rate.seconds });
  return { take: (key) => takeFrom(limiter, key, name, text) };
}

async function takeFrom(limiter: RateLimiterAbstract, key: string, limit: string, text: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    limited.inc({ limit });
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    throw tooMany(`${text}. Please try again ${inWords(seconds)}`, seconds);
  }
}

/** How long to wait, as a person says it. */
export function inWords(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? "in a second" : `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
