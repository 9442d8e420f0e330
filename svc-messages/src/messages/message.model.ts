import type { Attachment } from "@messageoh/contracts/attachments";
import type { Message } from "@messageoh/contracts/messages";
import { isDuplicateKey, nativeCollection, QUERY_MAX_MS, UNLIMITED, WRITE_CONCERN } from "@messageoh/service-kit/mongo";
import type { Connection, mongo } from "mongoose";

type Changed = "client_id" | "timestamp" | "read" | "attachments" | "edited_at" | "deleted_at" | "pinned";
/** A stored message: what crosses the wire, with dates, and what stays here. A range of its `id` is a range of time. */
export interface MessageRow extends Omit<Message, Changed> {
  /** Thread and number, see {@link messageKey}. The insert under this key assigns the number. */
  _id: string;
  client_id: string;
  timestamp: Date;
  /** Attachments as svc-media described them when the message was stored. */
  attachments?: readonly Attachment[];
  edited_at?: Date;
  /** Former texts, oldest first, each with the operation that replaced it. */
  edits?: { text: string; at: Date; op: string }[];
  deleted_at?: Date;
  pinned?: { by: string; at: Date };
}

/** Text of a message that was deleted, or whose sender has deleted the account. Clients without tombstones show it. */
export const REMOVED_TEXT = "deleted";

/** Leaves out the former texts, which no list contains and which can be ten times as long as the message. */
export const WITHOUT_EDITS = { projection: { edits: 0 } } as const;

/** How long a refused message is remembered, in seconds: much longer than an attempt to store it can last. */
const REFUSED_KEEP_SECONDS = 86_400;

/** Name of an index, because another one has the same keys. */
export const ATTACHED_INDEX = "attached";

const INDEXES: mongo.IndexDescription[] = [
  // Deduplicates retried messages.
  { key: { thread_id: 1, sending_user_id: 1, client_id: 1 }, unique: true },
  // Only rows of refused messages have this date; see refusedMessage.ts.
  {
    key: { refused_at: 1 },
    expireAfterSeconds: REFUSED_KEEP_SECONDS,
    partialFilterExpression: { refused_at: { $exists: true } },
  },
  // For svc-realtime after a silence: what a process has stored meanwhile.
  { key: { id: 1 } },
  // The newest message of each of many threads.
  { key: { thread_id: 1, seq: -1 } },
  // Gives each change of a thread a number of its own, and finds the changes after a number.
  { key: { thread_id: 1, change: -1 }, unique: true, partialFilterExpression: { change: { $gt: 0 } } },
  // Whether a message of the thread contains an attachment.
  { key: { thread_id: 1, "attachments.id": 1 }, partialFilterExpression: { "attachments.id": { $exists: true } } },
  // Whether a message of the thread contains the picture of a link preview.
  { key: { thread_id: 1, "preview.id": 1 }, partialFilterExpression: { "preview.id": { $exists: true } } },
  // The newest messages of a thread with attachments.
  {
    key: { thread_id: 1, seq: -1 },
    name: ATTACHED_INDEX,
    partialFilterExpression: { "attachments.id": { $exists: true } },
  },
  // The pinned messages of a thread.
  { key: { thread_id: 1, "pinned.at": 1 }, partialFilterExpression: { "pinned.at": { $exists: true } } },
];

/** Compares messages by id, the newest first. */
export const newestFirst = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1);

/** Largest sequence number of a key. No thread gets that long. */
export const LAST_SEQ = 9_999_999_999;

/** Returns the key of a message. The keys of a thread sort by sequence number. */
export const messageKey = (threadId: string, seq: number) =>
  `${threadId}:${String(Math.min(Math.max(0, seq), LAST_SEQ)).padStart(10, "0")}`;

/** Returns the filter for the messages of a thread with `from <= seq <= to`. */
export const keysBetween = (threadId: string, from: number, to: number) => ({
  _id: { $gte: messageKey(threadId, from), $lte: messageKey(threadId, to) },
});

/** Name of the collection of messages. */
export const COLLECTION = "thread_messages";

export type Messages = Awaited<ReturnType<typeof createMessages>>;

/**
 * Creates the indexes of the collection of messages and returns the collection of the driver, which is faster than a
 * model.
 */
export async function createMessages(connection: Connection) {
  const messages = nativeCollection<MessageRow>(connection, COLLECTION);
  await messages.createIndexes(INDEXES, UNLIMITED as object);
  return messages;
}

/**
 * Resolves once the primary has shown that it is one. A primary that was replaced while it was frozen serves old data
 * for a moment: there, this rejects.
 * @param key of a message, which need not exist
 */
export async function provePrimary(messages: Pick<Messages, "findOne">, key: string): Promise<void> {
  await messages.findOne({ _id: key }, { readConcern: "linearizable" });
}

/** The fields by which a retried message is recognised. */
type ClientId = Pick<MessageRow, "thread_id" | "sending_user_id" | "client_id">;

export const clientIdKey = ({ thread_id, sending_user_id, client_id }: ClientId): string =>
  `${thread_id}:${sending_user_id}:${client_id}`;

/** Resolves with the rows that have one of these client ids, by {@link clientIdKey}. */
export async function findByClientId(
  messages: Messages,
  wanted: readonly ClientId[],
): Promise<Map<string, MessageRow>> {
  const $or = wanted.map(({ thread_id, sending_user_id, client_id }) => ({ thread_id, sending_user_id, client_id }));
  const rows = await messages.find({ $or }).toArray();
  return new Map(rows.map((row) => [clientIdKey(row), row]));
}

/**
 * Key of the unique index of the previous release, by which a client id belongs to one thread. It stays in a database
 * of that release until an operator drops it; see docs/operations.md.
 */
const OLD_KEY = "sending_user_id,client_id";

interface InsertReply {
  writeErrors?: { index: number; code: number; errmsg: string; keyPattern?: object }[];
  writeConcernError?: { errmsg: string };
}

export type Insert = ReturnType<typeof createInsert>;

/**
 * Returns a function that inserts rows in order until a unique key is taken. It resolves with the number of inserted
 * rows, and whether the taken key is a client id of another thread; see {@link OLD_KEY}. It rejects if the database
 * fails; any number of rows may be inserted then. It runs a plain command because `insertMany` measures each row and
 * retries by itself, which costs a fifth more (docs/performance.md); callers retry anyway.
 */
export function createInsert(connection: Connection) {
  const database = connection.getClient().db(connection.name);
  return async (documents: readonly MessageRow[]) => {
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
    return {
      count: stop?.index ?? documents.length,
      isOtherThread: Object.keys(stop?.keyPattern ?? {}).join() === OLD_KEY,
    };
  };
}

/** A stored message as it crosses the wire. JSON leaves out what is undefined. */
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
  reply_to: row.reply_to,
  forwarded: row.forwarded,
  attachments: row.attachments && [...row.attachments],
  preview: row.preview,
  change: row.change,
  edited_at: row.edited_at?.toISOString(),
  edit_count: row.edit_count,
  deleted_at: row.deleted_at?.toISOString(),
  reactions: row.reactions,
  pinned: row.pinned && { by: row.pinned.by, at: row.pinned.at.toISOString() },
});
