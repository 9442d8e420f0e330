import { randomBytes } from "node:crypto";
import type { Message } from "@messageoh/contracts/messages";
import { isDuplicateKey, nativeCollection, QUERY_MAX_MS, WRITE_CONCERN } from "@messageoh/service-kit/mongo";
import { type Connection, Schema } from "mongoose";

export interface MessageRow {
  /** Thread and number, see {@link messageKey}: a message claims the next number of its thread by being stored under it. */
  _id: string;
  /** Begins with the millisecond it was stored in, so a range of ids is a range of time: see `storedAt`. */
  id: string;
  client_id: string;
  thread_id: string;
  seq: number;
  sending_user_id: string;
  recipient_user_id: string;
  text: string;
  timestamp: Date;
}

const schema = new Schema<MessageRow>(
  {
    _id: { type: String, required: true },
    id: { type: String, required: true },
    client_id: { type: String, required: true },
    thread_id: { type: String, required: true },
    seq: { type: Number, required: true },
    sending_user_id: { type: String, required: true },
    recipient_user_id: { type: String, required: true },
    text: { type: String, required: true },
    timestamp: { type: Date, required: true },
  },
  { versionKey: false, id: false },
);
// A message that is sent again is found instead of stored again.
schema.index({ sending_user_id: 1, client_id: 1 }, { unique: true });
// What came in for a user since a moment: replay after an instance could not listen.
schema.index({ recipient_user_id: 1, id: 1 });
// The newest message of each of many threads.
schema.index({ thread_id: 1, seq: -1 });

/** Far beyond the last number of any thread. */
export const LAST_SEQ = 9_999_999_999;

/** The key of a message. Keys of a thread sort as its numbers do. */
export const messageKey = (threadId: string, seq: number) =>
  `${threadId}:${String(Math.min(Math.max(0, seq), LAST_SEQ)).padStart(10, "0")}`;

/** The messages of a thread with `from <= seq <= to`: every page of history is such a range of keys. */
export const keysBetween = (threadId: string, from: number, to: number) => ({
  _id: { $gte: messageKey(threadId, from), $lte: messageKey(threadId, to) },
});

export const COLLECTION = "thread_messages";

export type Messages = Awaited<ReturnType<typeof createMessages>>;

/** The collection of messages, its indexes made. Writes and ranges use the driver directly: this is the hot path. */
export async function createMessages(connection: Connection) {
  await connection.model("Message", schema, COLLECTION).createIndexes();
  return nativeCollection<MessageRow>(connection, COLLECTION);
}

interface InsertReply {
  writeErrors?: { index: number; code: number; errmsg: string }[];
  writeConcernError?: { errmsg: string };
}

export type Insert = ReturnType<typeof createInsert>;

/**
 * Makes the function that stores rows in their order, up to the first whose key is taken, and answers how many it stored.
 * It rejects where nobody knows. As a bare command: `insertMany` weighs each row first and tries again by itself, which
 * costs a fifth more (docs/performance.md), and those who hand messages over try again anyway.
 */
export function createInsert(connection: Connection) {
  const database = connection.getClient().db(connection.name);
  return async (documents: readonly MessageRow[]): Promise<number> => {
    const command = {
      insert: COLLECTION,
      documents,
      ordered: true,
      writeConcern: WRITE_CONCERN,
      maxTimeMS: QUERY_MAX_MS,
    };
    const { writeErrors, writeConcernError } = (await database.command(command)) as InsertReply;
    const stop = writeErrors?.[0];
    const failure = stop && isDuplicateKey(stop) ? writeConcernError : (stop ?? writeConcernError);
    if (failure) throw new Error(failure.errmsg);
    return stop?.index ?? documents.length;
  };
}

/** The smallest id of a message stored at this time or later. */
export const firstIdAt = (time: Date) => time.getTime().toString(16).padStart(12, "0");

const processId = randomBytes(3).toString("hex");
let counter = 0;

/** Time, process and a counter: unique everywhere, and in the order of storing within a process. */
export function newMessageId(): string {
  counter = (counter + 1) % 0x1_00_00_00;
  return firstIdAt(new Date()) + processId + counter.toString(16).padStart(6, "0");
}

/** A stored message as it crosses the wire. */
export const toMessage = (row: MessageRow, read: boolean): Message => ({
  id: row.id,
  client_id: row.client_id,
  thread_id: row.thread_id,
  seq: row.seq,
  sending_user_id: row.sending_user_id,
  recipient_user_id: row.recipient_user_id,
  text: row.text,
  timestamp: row.timestamp.toISOString(),
  read,
});
