import { randomBytes } from "node:crypto";
import type { Connection, ConnectOptions } from "mongoose";
import { connectMongo } from "../src/datastores/mongo.ts";
import { createLogger } from "../src/telemetry/logger.ts";

/**
 * Returns the URL of a datastore that `npm test` started: each jest worker has its own Redis. Throws if it is not set.
 */
export function datastoreUrl(datastore: "MONGO" | "REDIS"): string {
  const { TEST_MONGO_URL, TEST_REDIS_URLS, JEST_WORKER_ID = "1" } = process.env;
  const redisUrls = TEST_REDIS_URLS?.split(" ") ?? [];
  const url = datastore === "MONGO" ? TEST_MONGO_URL : redisUrls[(Number(JEST_WORKER_ID) - 1) % redisUrls.length];
  if (!url) throw new Error("The datastores are missing: run the tests with npm test");
  return url;
}

/** A logger that writes nothing. */
export const silentLogger = createLogger("test", "silent");

/**
 * Returns a connection to a new database on the MongoDB server of the tests. `drop` removes the database and closes the
 * connection.
 */
export async function openTestDatabase(
  options?: ConnectOptions,
): Promise<{ connection: Connection; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const connection = await connectMongo(datastoreUrl("MONGO"), name, silentLogger, options);
  return {
    connection,
    async drop() {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
