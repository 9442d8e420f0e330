import { randomBytes } from "node:crypto";
import type { Logger } from "@messageoh/service-kit/logger";
import { connectRedis } from "@messageoh/service-kit/redis";
import { engineUrl, openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/engines";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import type { Connection } from "mongoose";
import { createApp } from "../src/app.ts";
import { createLimits, type LimitRates, RATE_LIMITS } from "../src/limits/rateLimits.ts";
import type { HashingQueueOptions } from "../src/passwords/hashingQueue.ts";
import { createPasswords, type Passwords } from "../src/passwords/passwords.ts";

export const TEST_SECRET = "a secret of sixteen characters";
type Event = readonly [channel: string, event: Record<string, unknown>];

const PLENTY = { count: 1_000_000, seconds: 60 };
const GENEROUS = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, PLENTY])) as LimitRates;

export interface TestOptions extends Partial<HashingQueueOptions> {
  cost?: number;
  /** A connection whose database outlives this service. */
  connection?: Connection;
  logger?: Logger;
  wrapPasswords?: (passwords: Passwords) => Passwords;
}

/** The service on a free port, with a database of its own and limits that nobody meets unless told. */
export async function serveUsers(
  rates: Partial<LimitRates> = {},
  { cost = 4, atOnce = 4, waitingMax = 100, connection: given, logger = silentLogger, wrapPasswords }: TestOptions = {},
) {
  const own = given ? undefined : await openTestDatabase();
  const connection = given ?? (own as NonNullable<typeof own>).connection;
  // Limits are counted in Redis by name and address, which the tests have in common.
  const redis = connectRedis(engineUrl("REDIS"), silentLogger, "test");
  redis.options.keyPrefix = `test-${randomBytes(6).toString("hex")}:`;
  const published: Event[] = [];
  const passwords = await createPasswords(cost, { atOnce, waitingMax });
  const app = await createApp({
    connection,
    publish: (events) => void published.push(...(events as unknown as Event[])),
    passwords: wrapPasswords ? wrapPasswords(passwords) : passwords,
    limits: createLimits(redis, { ...GENEROUS, ...rates }),
    logger,
    internalSecret: TEST_SECRET,
    lifetimes: { idleDays: 30, maxDays: 180 },
  });
  const service = await serveForTest(app.callback());
  return {
    ...service,
    published,
    connection,
    async close() {
      await service.close();
      redis.disconnect();
      await own?.drop();
    },
  };
}
