import { LRUCache } from "lru-cache";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { atMost } from "../caching/atMost.ts";
import type { Redis } from "../datastores/redis.ts";
import { outsideTrace } from "../telemetry/spans.ts";
import type { Rate } from "./fixedWindows.ts";

/** Keys in memory, at most about 200 bytes each: 20 MB. A key that is dropped is reported first. */
const KEYS_MAX = 100_000;
/** Share of the quota that an instance spends before it reports it. */
const REPORTED_SHARE = 1 / 50;

/** The use of one key, as this instance knows it. */
interface Account {
  /** Use by all instances at the last report. */
  total: number;
  /** Own use that is not reported yet. */
  pending: number;
  /** Own use in a report without a response, or in one that failed. The other instances may not know it. */
  unconfirmed: number;
  isReporting: boolean;
  /** Time of the monotonic clock in milliseconds. */
  endsAt: number;
}

export interface SharedQuotaOptions {
  redis: Redis;
  /** Name of the quota in Redis. */
  name: string;
  rate: Rate;
}

/**
 * Creates a quota that all instances share through Redis and that decides without waiting for Redis. An instance
 * reports its use in the background: the first use of a key, and then each fiftieth of the quota. A key can therefore
 * exceed its quota by a fiftieth per instance, and a crash loses at most as much. During an outage of Redis, each
 * instance adds its own use to the last total that it knows.
 */
export function createSharedQuota({ redis, name, rate }: SharedQuotaOptions) {
  const limiter = new RateLimiterRedis({
    keyPrefix: `limit:${name}`,
    points: rate.count,
    duration: rate.seconds,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  const reportedPoints = rate.count * REPORTED_SHARE;
  const reports = new Set<Promise<void>>();
  const accounts = new LRUCache<string, Account>({
    ...atMost(KEYS_MAX),
    dispose: (account, key) => report(key, account),
  });

  function open(key: string): Account {
    const endsAt = performance.now() + rate.seconds * 1_000;
    const account = { total: 0, pending: 0, unconfirmed: 0, isReporting: false, endsAt };
    accounts.set(key, account);
    return account;
  }

  function report(key: string, account: Account): void {
    // Without a connection, the use stays pending: Redis has certainly not counted it.
    if (account.isReporting || account.pending === 0 || redis.status !== "ready") return;
    // Redis would count it in the next window.
    if (account.endsAt <= performance.now()) return;
    const run = outsideTrace(() => send(key, account)).finally(() => reports.delete(run));
    reports.add(run);
  }

  async function send(key: string, account: Account): Promise<void> {
    const points = account.pending;
    account.pending = 0;
    account.unconfirmed += points;
    account.isReporting = true;
    try {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      account.unconfirmed -= points;
      // A lower total means that Redis lost its data; a later end means a new window.
      account.total = Math.max(account.total + points, consumedPoints);
      account.endsAt = Math.min(account.endsAt, performance.now() + msBeforeNext);
    } catch {
      // Redis may have counted it. A second report could count it twice, so only this instance remembers it.
    } finally {
      account.isReporting = false;
    }
  }

  return {
    /**
     * Counts points of a key. Returns `false`, and counts nothing, if the quota is used up. A negative number gives
     * points back that were counted in vain.
     */
    spend(key: string, points: number): boolean {
      const known = accounts.get(key);
      const account = known && known.endsAt > performance.now() ? known : open(key);
      const used = account.total + account.unconfirmed + account.pending;
      if (points > 0 && used + points > rate.count) return false;
      account.pending += points;
      if (account !== known || Math.abs(account.pending) >= reportedPoints) report(key, account);
      return true;
    },

    /** Reports the use that is not reported yet. Resolves when Redis has responded, or at once without a connection. */
    async flush(): Promise<void> {
      for (const [key, account] of accounts.entries()) report(key, account);
      await Promise.all(reports);
    },
  };
}
