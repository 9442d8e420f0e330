import { setTimeout as pause } from "node:timers/promises";
import mongoose, { type Connection, type mongo } from "mongoose";
import type { Logger } from "./logger.ts";

/** A message counts as kept only once it is in the journal of a majority. */
export const WRITE_CONCERN = { w: "majority", j: true } as const;

/**
 * Connects to MongoDB and keeps trying until it answers; later interruptions are the driver's to bridge. A call made
 * while the database is away fails after a few seconds instead of waiting for ever.
 * @param url connection string without a database name that matters
 * @param database the name of the service's own database
 */
export async function connectMongo(url: string, database: string, logger: Logger): Promise<Connection> {
  for (;;) {
    try {
      const connection = await mongoose
        .createConnection(url, {
          dbName: database,
          serverSelectionTimeoutMS: 4_000,
          socketTimeoutMS: 20_000,
          maxPoolSize: 20,
          autoIndex: false,
          writeConcern: WRITE_CONCERN,
        })
        .asPromise();
      connection.on("disconnected", () => logger.warn("database connection lost"));
      connection.on("reconnected", () => logger.info("database connection is back"));
      connection.on("error", (err) => logger.error({ err }, "database connection failed"));
      return connection;
    } catch (err) {
      logger.warn({ err }, "database not reachable yet");
      await pause(500);
    }
  }
}

/** The driver's own collection behind a model: typed, and without a model's cost per document. */
export function nativeCollection<Row extends Document>(connection: Connection, name: string): mongo.Collection<Row> {
  return connection.getClient().db(connection.name).collection<Row>(name);
}
type Document = mongo.BSON.Document;

/** Whether the database answers now. */
export async function pingMongo(connection: Connection): Promise<boolean> {
  await connection.db?.command({ ping: 1 }, { timeoutMS: 2_000 });
  return true;
}

/** Whether an insert failed because a unique index holds its key already. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: number } | null)?.code === 11000;
}

const TRIES_MAX = 10;

/**
 * Does a write whose unique key others may want at the same moment. Some engines end one of two such writes as a deadlock
 * instead of telling it that the key is taken: it is done again, and learns it then.
 */
export async function throughDeadlocks<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const isDeadlock = error instanceof Error && error.message.includes("deadlock detected");
      if (!isDeadlock || tries === TRIES_MAX) throw error;
      // Those who stopped each other must not meet again.
      await pause(Math.random() * 50 * tries);
    }
  }
}

/** The text as a pattern that matches just it, wherever it stands; every server understands these escapes. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
