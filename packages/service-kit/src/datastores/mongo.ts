import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import mongoose, { type Connection, type ConnectOptions, type mongo, type Schema } from "mongoose";
import type { Logger } from "../telemetry/logger.ts";

/** A message counts as kept only once it is in the journal of a majority. */
export const WRITE_CONCERN = { w: "majority", j: true } as const;

/** Milliseconds that the database may spend on one query: its caller gives up a second later. */
export const QUERY_MAX_MS = 4_000;

/**
 * Connects to MongoDB and keeps trying until it answers; later interruptions are the driver's to bridge. A call made
 * while the database is away fails after a few seconds instead of waiting for ever.
 * @param url connection string without a database name that matters
 * @param database the name of the service's own database
 * @param options more options of the driver
 */
export async function connectMongo(
  url: string,
  database: string,
  logger: Logger,
  options: ConnectOptions = {},
): Promise<Connection> {
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
          ...options,
        })
        .asPromise();
      connection.set("maxTimeMS", QUERY_MAX_MS);
      connection.plugin(limitUpdates);
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

/** The connection's `maxTimeMS` leaves out a model's updates. */
function limitUpdates(schema: Schema): void {
  schema.pre(["updateOne", "updateMany"], function () {
    this.maxTimeMS(QUERY_MAX_MS);
  });
}

/** Methods whose second argument is their options. */
const LIMITED = ["find", "findOne", "countDocuments", "aggregate", "insertOne", "insertMany", "bulkWrite"] as const;
type AnyMethod = (first: unknown, options?: object) => unknown;

/**
 * The driver's own collection behind a model: typed, and without a model's cost per document. Its queries are limited to
 * {@link QUERY_MAX_MS}, as a model's are.
 */
export function nativeCollection<Row extends Document>(connection: Connection, name: string): mongo.Collection<Row> {
  const collection = connection.getClient().db(connection.name).collection<Row>(name);
  for (const method of LIMITED) {
    const run = collection[method].bind(collection) as AnyMethod;
    const limited: AnyMethod = (first, options) => run(first ?? {}, { maxTimeMS: QUERY_MAX_MS, ...options });
    Object.assign(collection, { [method]: limited });
  }
  return collection;
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
