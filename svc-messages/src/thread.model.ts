import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { keysBetween, LAST_SEQ, type MessageRow, type Messages, messageKey } from "./message.model.ts";

/**
 * Where a thread ended when somebody last looked, so that a list of threads takes two queries however long they are. A
 * hint: it costs no message a write, and a look beyond it says what is true.
 */
export interface ThreadRow {
  _id: string;
  last_seq: number;
  last_message: MessageRow;
}

export type Threads = ReturnType<typeof createThreads>;

export function createThreads(connection: Connection, messages: Messages) {
  const threads = nativeCollection<ThreadRow>(connection, "threads");

  /** The newest message of one thread. */
  async function findLast(threadId: string): Promise<MessageRow | null> {
    const ends = messages
      .find(keysBetween(threadId, 1, LAST_SEQ))
      .sort({ _id: -1 })
      .limit(1);
    return (await ends.toArray())[0] ?? null;
  }

  const insertHints = (rows: readonly MessageRow[]) =>
    threads.insertMany(
      rows.map((row) => ({ _id: row.thread_id, last_seq: row.seq, last_message: row })),
      { ordered: false },
    );

  const moveHints = (rows: readonly MessageRow[]) =>
    threads.bulkWrite(
      rows.map((row) => ({
        updateOne: {
          // Never back.
          filter: { _id: row.thread_id, last_seq: { $lt: row.seq } },
          update: { $set: { last_seq: row.seq, last_message: row } },
        },
      })),
      { ordered: false },
    );

  async function remember(rows: readonly MessageRow[], isNew: (row: MessageRow) => boolean): Promise<void> {
    const fresh = rows.filter(isNew);
    let moved = rows.filter((row) => !isNew(row));
    if (fresh.length > 0) {
      // Insert and look at the error: racing upserts are slow on some engines.
      await insertHints(fresh).catch((error) => {
        if (!isDuplicateKey(error)) throw error;
        moved = [...rows];
      });
    }
    if (moved.length > 0) await moveHints(moved);
  }

  return {
    findLast,

    /** The newest message of each of these threads that has any. */
    async find(threadIds: readonly string[]): Promise<Map<string, MessageRow>> {
      const hints = await threads.find({ _id: { $in: [...threadIds] } }).toArray();
      const newest = new Map(hints.map(({ _id, last_message }) => [_id, last_message]));
      const next = threadIds.map((threadId) => messageKey(threadId, (newest.get(threadId)?.seq ?? 0) + 1));
      const beyond = await messages.find({ _id: { $in: next } }).toArray();
      if (beyond.length === 0) return newest;
      const lasts = await Promise.all(beyond.map(async (row) => (await findLast(row.thread_id)) ?? row));
      await remember(lasts, (row) => !newest.has(row.thread_id));
      for (const row of lasts) newest.set(row.thread_id, row);
      return newest;
    },
  };
}
