import { randomBytes } from "node:crypto";
import type { listAccessChanges } from "@messageoh/contracts/internal/users";
import type { Logger } from "@messageoh/service-kit/logger";
import { connectRedis } from "@messageoh/service-kit/redis";
import { datastoreUrl, openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import type { Connection } from "mongoose";
import type * as v from "valibot";
import { createApp } from "../src/app.ts";
import { createLimits, type LimitRates, RATE_LIMITS } from "../src/limits/rateLimits.ts";
import type { HashingQueueOptions } from "../src/passwords/hashingQueue.ts";
import { createPasswords, type Passwords } from "../src/passwords/passwords.ts";
import type { PushOptions } from "../src/push/push.ts";

export const TEST_SECRET = "a secret of sixteen characters";
export const PASSWORD = "phoenix!";
const VAPID_KEY = Buffer.alloc(32, 1);
type Event = readonly [channel: string, event: Record<string, unknown>];

const HIGH_RATE = { count: 1_000_000, seconds: 60 };
const HIGH_RATES = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, HIGH_RATE])) as LimitRates;

export interface TestOptions extends Partial<HashingQueueOptions> {
  cost?: number;
  /** A connection that stays open when this service is closed. */
  connection?: Connection;
  logger?: Logger;
  wrapPasswords?: (passwords: Passwords) => Passwords;
  push?: Partial<PushOptions>;
}
export type TestService = Awaited<ReturnType<typeof serveUsers>>;

/** Starts the service on a free port, with its own database. Limits that are not in `rates` are never reached. */
export async function serveUsers(
  rates: Partial<LimitRates> = {},
  {
    cost = 4,
    atOnce = 4,
    waitingMax = 100,
    connection: given,
    logger = silentLogger,
    wrapPasswords,
    push: pushOptions,
  }: TestOptions = {},
) {
  const own = given ? undefined : await openTestDatabase();
  const connection = given ?? (own as NonNullable<typeof own>).connection;
  // The tests share one Redis, where limits count by name and address.
  const redis = connectRedis(datastoreUrl("REDIS"), silentLogger, "test");
  redis.options.keyPrefix = `test-${randomBytes(6).toString("hex")}:`;
  const published: Event[] = [];
  const passwords = await createPasswords(cost, { atOnce, waitingMax });
  const { app, push } = await createApp({
    connection,
    publish: async (events) => {
      for (const [channel, event] of events) published.push([channel, event as Event[1]]);
      return new Set();
    },
    passwords: wrapPasswords ? wrapPasswords(passwords) : passwords,
    limits: createLimits(redis, { ...HIGH_RATES, ...rates }),
    logger,
    internalSecret: TEST_SECRET,
    lifetimes: { idleDays: 30, maxDays: 180 },
    push: { privateKey: VAPID_KEY, subject: "mailto:operator@localhost", allowedHosts: [], ...pushOptions },
  });
  const service = await serveForTest(app.callback());
  return {
    ...service,
    published,
    connection,
    async close() {
      await service.close();
      await push.close();
      redis.disconnect();
      await own?.drop();
    },
  };
}

type AccessChanges = v.InferOutput<typeof listAccessChanges.response>;

let counter = 0;

export interface TestUser {
  id: string;
  name: string;
  cookie: string;
}

/** Registers a user and returns it with the cookie of its session. */
export async function registerUser(service: TestService, name = `Albus${++counter}`): Promise<TestUser> {
  const body = { name, password: PASSWORD, avatar_id: "fox-id" };
  const response = await service.call<{ id: string }>("/users", { method: "POST", body });
  return { id: response.body.id, name, cookie: response.cookie };
}

/** Returns what other services learn of ended sessions and changed friendships. */
export async function listChanges(service: TestService, since?: string): Promise<AccessChanges> {
  const call = { method: "POST", body: { since }, headers: { "x-internal-secret": TEST_SECRET } } as const;
  return (await service.call<AccessChanges>("/internal/access/changes", call)).body;
}
