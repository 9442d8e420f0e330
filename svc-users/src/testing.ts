import { randomBytes } from "node:crypto";
import { connectRedis } from "@messageoh/service-kit/redis";
import { engineUrl, openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/engines";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import { createApp } from "./app.ts";
import { createLimits, type LimitRates } from "./limits.ts";
import { createPasswords } from "./password.ts";

export const TEST_SECRET = "a secret of sixteen characters";
type Event = readonly [channel: string, event: Record<string, unknown>];

const PLENTY = { count: 1_000_000, seconds: 60 };
const GENEROUS: LimitRates = {
  loginsPerAddress: PLENTY,
  failedLoginsPerName: PLENTY,
  registrationsPerAddress: PLENTY,
  searchesPerUser: PLENTY,
};

/** The service on a free port, with a database of its own and limits that nobody meets unless told. */
export async function serveUsers(rates: Partial<LimitRates> = {}, { cost = 4, atOnce = 4, waitingMax = 100 } = {}) {
  const { connection, drop } = await openTestDatabase();
  // Limits are counted in Redis by name and address, which the tests have in common.
  const redis = connectRedis(engineUrl("REDIS"), silentLogger, "test");
  redis.options.keyPrefix = `test-${randomBytes(6).toString("hex")}:`;
  const published: Event[] = [];
  const app = await createApp({
    connection,
    publish: (events) => void published.push(...(events as unknown as Event[])),
    passwords: await createPasswords(cost, { atOnce, waitingMax }),
    limits: createLimits(redis, { ...GENEROUS, ...rates }),
    logger: silentLogger,
    internalSecret: TEST_SECRET,
    sessionDays: 1,
  });
  const service = await serveForTest(app.callback());
  return {
    ...service,
    published,
    connection,
    async close() {
      await service.close();
      redis.disconnect();
      await drop();
    },
  };
}
