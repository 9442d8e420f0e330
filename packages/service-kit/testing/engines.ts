import { randomBytes } from "node:crypto";
import type { Connection, ConnectOptions } from "mongoose";
import { connectMongo } from "../src/datastores/mongo.ts";
import { createLogger } from "../src/telemetry/logger.ts";

/** The engines that `npm test` started, by environment variable. */
export function engineUrl(engine: "MONGO" | "REDIS"): string {
  const url = process.env[`TEST_${engine}_URL`];
  if (!url) throw new Error(`TEST_${engine}_URL is not set: run the tests with npm test`);
  return url;
}

export const silentLogger = createLogger("test", "silent");

/** A connection to a database of its own on the real server, dropped by `drop`. */
export async function openTestDatabase(
  options?: ConnectOptions,
): Promise<{ connection: Connection; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const connection = await connectMongo(engineUrl("MONGO"), name, silentLogger, options);
  return {
    connection,
    async drop() {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
