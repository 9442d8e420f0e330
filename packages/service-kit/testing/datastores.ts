import { randomBytes } from "node:crypto";
import type { Connection, ConnectOptions } from "mongoose";
import { connectMongo } from "../src/datastores/mongo.ts";
import { createLogger } from "../src/telemetry/logger.ts";

/** Returns the URL of a datastore that `npm test` started. Throws if it is not set. */
export function datastoreUrl(datastore: "MONGO" | "REDIS"): string {
  const url = process.env[`TEST_${datastore}_URL`];
  if (!url) throw new Error(`TEST_${datastore}_URL is not set: run the tests with npm test`);
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
