import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import mongoose, { type Connection, type ConnectOptions, type Model, type mongo, type Schema } from "mongoose";
import type { Logger } from "../telemetry/logger.ts";
import "./endWrites.ts";

/** A write counts as stored when it is in the journal of a majority of the replica set, so that a failover keeps it. */
export const WRITE_CONCERN = { w: "majority", j: true } as const;

/**
 * Longest time of a query, in milliseconds. svc-realtime waits 1 s longer for a result; svc-messages and svc-media wait
 * 3 s.
 */
export const QUERY_MAX_MS = 4_000;
/** Longest wait for a server or a connection, in milliseconds. */
const WAIT_MAX_MS = 4_000;
/** Time after which a silent connection is closed. The server ends each query earlier. */
const SILENCE_MAX_MS = 6_000;

/**
 * Returns a connection to MongoDB. Retries until the server responds. Afterwards the driver reconnects; during an
 * outage, operations fail after 4 s.
 * @param url connection string; a database name in it is ignored
 * @param database name of the service's database
 * @param options further options of the driver
 */
export async function connectMongo(
  url: string,
  database: string,
  logger: Logger,
  options: ConnectOptions = {},
): Promise<Connection> {
  for (;;) {
    try {
      const connection = mongoose.createConnection(url, {
        dbName: database,
        serverSelectionTimeoutMS: WAIT_MAX_MS,
        waitQueueTimeoutMS: WAIT_MAX_MS,
        socketTimeoutMS: SILENCE_MAX_MS,
        maxPoolSize: 20,
        autoIndex: false,
        writeConcern: WRITE_CONCERN,
        // Without this, the driver imports it dynamically, which jest does not support.
        runtimeAdapters: { os },
        // Numbers, acks and sessions depend on reads, so a failover must not roll back data that was read.
        readConcern: { level: "majority" },
        ...options,
      });
      awaitElections(connection);
      await connection.asPromise();
      connection.set("maxTimeMS", QUERY_MAX_MS);
      connection.plugin(limitUpdates);
      const logLoss = () => logger.warn("database connection lost");
      connection.on("disconnected", logLoss);
      // The service closes the connection itself.
      connection.on("disconnecting", () => connection.off("disconnected", logLoss));
      connection.on("reconnected", () => logger.info("database connection restored"));
      connection.on("error", (err) => logger.error({ err }, "database connection failed"));
      return connection;
    } catch (err) {
      logger.warn({ err }, "could not connect to the database");
      await pause(500);
    }
  }
}

/**
 * Makes reads wait until a majority has confirmed the election of the primary. Until then, a primary has all acked
 * writes but does not know that a majority has them, and reads with majority read concern return an older state.
 */
function awaitElections(connection: Connection): void {
  const client = connection.getClient();
  client.on("serverDescriptionChanged", ({ previousDescription, newDescription }) => {
    if (newDescription.type !== "RSPrimary" || previousDescription.type === "RSPrimary") return;
    const { clusterTime } = newDescription.$clusterTime ?? {};
    // All collections of the client share this object.
    if (clusterTime && client.readConcern) Object.assign(client.readConcern, { afterClusterTime: clusterTime });
    // The time may be ahead of the last write. The next write is later, and ends the wait of the reads.
    connection
      .asPromise()
      .then(checkMongo)
      .catch(() => {});
  });
}

/** Creates the indexes of a model. On a large collection, this takes longer than the time limit of queries. */
export async function createIndexes({ schema, collection }: Pick<AnyModel, "schema" | "collection">): Promise<void> {
  for (const [keys, options] of schema.indexes())
    await collection.createIndex(keys as mongo.IndexSpecification, { ...options, ...UNLIMITED } as object);
}
// biome-ignore lint/suspicious/noExplicitAny: the fields of the documents do not matter
type AnyModel = Model<any>;

/** Limits the time of a model's updates, to which the connection's `maxTimeMS` does not apply. */
function limitUpdates(schema: Schema): void {
  schema.pre(["updateOne", "updateMany"], function () {
    this.maxTimeMS(QUERY_MAX_MS);
  });
}

/** Option of a command during which the connection may be silent for any time. */
export const UNLIMITED = { socketTimeoutMS: 0 };

/** Where each method of a collection with a filter takes its options. */
export const FILTER_METHODS = {
  ...{ find: 1, findOne: 1, countDocuments: 1, aggregate: 1, deleteOne: 1, deleteMany: 1 },
  ...{ updateOne: 2, updateMany: 2, findOneAndUpdate: 2 },
};
const OPTIONS_AT = { ...FILTER_METHODS, insertOne: 1, insertMany: 1, bulkWrite: 1 };
type AnyMethod = (...args: unknown[]) => unknown;

/**
 * Returns a collection of the MongoDB driver, without the cost of a mongoose model per document. Its commands are
 * limited to {@link QUERY_MAX_MS}, unless their options contain `maxTimeMS`.
 */
export function nativeCollection<Row extends Document>(connection: Connection, name: string): mongo.Collection<Row> {
  const collection = connection.getClient().db(connection.name).collection<Row>(name);
  for (const [method, at] of Object.entries(OPTIONS_AT)) {
    const run = collection[method as keyof typeof OPTIONS_AT].bind(collection) as AnyMethod;
    const limited: AnyMethod = (...args) => {
      args[at] = { maxTimeMS: QUERY_MAX_MS, ...(args[at] as object) };
      return run(...args);
    };
    Object.assign(collection, { [method]: limited });
  }
  return collection;
}
type Document = mongo.BSON.Document;

/**
 * Writes a small document as durably as a message, because a server with a slow or full disk, or without a majority,
 * still responds to a ping. Rejects if MongoDB does not accept the write.
 */
export async function checkMongo(connection: Connection): Promise<void> {
  const checks = nativeCollection<{ _id: string; count: number }>(connection, "checks");
  await checks.bulkWrite([{ updateOne: { filter: { _id: "write" }, update: { $inc: { count: 1 } }, upsert: true } }]);
}

/** Returns whether an error is MongoDB's `DuplicateKey` (11000): a unique index already contains the key. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: number } | null)?.code === 11000;
}

/**
 * Resolves with the result of `write`. Repeats it while it rejects with a duplicate key, and rejects with its last error
 * after `attempts` attempts.
 */
export async function retryDuplicates<T>(attempts: number, write: () => Promise<T>): Promise<T> {
  return write().catch((error) => {
    if (!isDuplicateKey(error) || attempts === 1) throw error;
    return retryDuplicates(attempts - 1, write);
  });
}

/** Returns the source of a regular expression that matches exactly this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
