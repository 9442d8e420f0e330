import os from "node:os";
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
          // Otherwise the driver imports it dynamically, which jest does not support.
          runtimeAdapters: { os },
          // What is read survives a failover: numbers, acks and sessions are decided on it.
          readConcern: { level: "majority" },
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

/** Whether an insert failed because a unique index holds its key already. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: number } | null)?.code === 11000;
}

/** Returns a pattern that matches exactly this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
