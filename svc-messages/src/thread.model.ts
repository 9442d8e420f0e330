import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { firstIdAt, type MessageRow, type Messages } from "./message.model.ts";

const REPAIR_MAX = 10_000;

/** A thread's newest message, so that no list needs to look for it. A hint: the messages themselves decide. */
export interface ThreadRow {
  _id: string;
  last_seq: number;
  last_message: MessageRow;
  updated_at: Date;
}

export type Threads = Awaited<ReturnType<typeof createThreads>>;

export async function createThreads(connection: Connection, messages: Messages) {
  const threads = nativeCollection<ThreadRow>(connection, "threads");
  // The newest hint, for repair.
  await threads.createIndex({ updated_at: -1 });

  /** Moves the hints of the threads concerned forward, never back. */
  async function remember(rows: readonly MessageRow[]): Promise<void> {
    const newest = new Map<string, MessageRow>();
    const fresh: ThreadRow[] = [];
    const updated_at = new Date();
    for (const row of rows) {
      if ((newest.get(row.thread_id)?.seq ?? 0) < row.seq) newest.set(row.thread_id, row);
      if (row.seq === 1) fresh.push({ _id: row.thread_id, last_seq: 1, last_message: row, updated_at });
    }
    for (const row of fresh) {
      // Insert and look at the error: racing upserts are slow on some engines.
      await threads.insertOne(row).catch((error) => {
        if (!isDuplicateKey(error)) throw error;
      });
    }
    const moves = [...newest.values()].filter((row) => row.seq > 1);
    if (moves.length === 0) return;
    await threads.bulkWrite(
      moves.map((row) => ({
        updateOne: {
          filter: { _id: row.thread_id, last_seq: { $lt: row.seq } },
          update: { $set: { last_seq: row.seq, last_message: row, updated_at } },
        },
      })),
      { ordered: false },
    );
  }

  return {
    remember,

    async find(threadIds: readonly string[]): Promise<Map<string, ThreadRow>> {
      const rows = await threads.find({ _id: { $in: [...threadIds] } }).toArray();
      return new Map(rows.map((row) => [row._id, row]));
    },

    /** The newest message of one thread: the hint, and one cheap look beyond it. */
    async findLast(threadId: string): Promise<MessageRow | null> {
      const hint = await threads.findOne({ _id: threadId });
      const beyond = await messages
        .find({ thread_id: threadId, seq: { $gt: hint?.last_seq ?? 0 } })
        .sort({ seq: -1 })
        .limit(1)
        .toArray();
      return beyond[0] ?? hint?.last_message ?? null;
    },

    /**
     * Repairs hints that a process left behind when it died between storing a message and moving the hint:
     * looks at what was stored since shortly before the newest hint.
     */
    async repair(lookBackMs: number): Promise<void> {
      const newest = await threads.find().sort({ updated_at: -1 }).limit(1).toArray();
      const since = newest[0] ? new Date(newest[0].updated_at.getTime() - lookBackMs) : new Date(0);
      const rows = await messages
        .find({ _id: { $gte: firstIdAt(since) } })
        .limit(REPAIR_MAX)
        .toArray();
      await remember(rows);
    },
  };
}
