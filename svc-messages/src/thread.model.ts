import { Counter } from "@messageoh/service-kit/metrics";
import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { firstIdAt, type MessageRow, type Messages } from "./message.model.ts";

const REPAIR_MAX = 10_000;
/** Hints are written this often: a thread's tenth message in that time costs no write of its own. */
const WRITE_EVERY_MS = 250;
/** Longer than it takes until a hint that its process could not write is repaired by another one. */
const LATELY_MS = 45_000;
const LATELY_MAX = 1_000;

const hintsWritten = new Counter({
  name: "messageoh_messages_hints_written_total",
  help: "Hints of a thread's newest message written",
});

/** A thread's newest message, so that no list needs to look for it. A hint: the messages themselves decide. */
export interface ThreadRow {
  _id: string;
  last_seq: number;
  last_message: MessageRow;
  updated_at: Date;
}

export type Threads = Awaited<ReturnType<typeof createThreads>>;

/** @param onError told when hints could not be written; they are tried again */
export async function createThreads(connection: Connection, messages: Messages, onError: (error: unknown) => void) {
  const threads = nativeCollection<ThreadRow>(connection, "threads");
  // The newest hint, for repair.
  await threads.createIndex({ updated_at: -1 });

  /** The newest messages whose hints are not written yet, and which of their threads began among them. */
  const unwritten = new Map<string, MessageRow>();
  const begun = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let repairedUntil = Number.POSITIVE_INFINITY;

  /** Moves the hints of the threads concerned forward, soon. */
  function remember(rows: readonly MessageRow[]): void {
    for (const row of rows) {
      if (row.seq > (unwritten.get(row.thread_id)?.seq ?? 0)) unwritten.set(row.thread_id, row);
      if (row.seq === 1) begun.add(row.thread_id);
    }
    if (timer === undefined && unwritten.size > 0) timer = setTimeout(flush, WRITE_EVERY_MS).unref();
  }

  async function flush(): Promise<void> {
    const rows = [...unwritten.values()];
    try {
      await write(rows);
      hintsWritten.inc(rows.length);
      for (const row of rows) {
        if (unwritten.get(row.thread_id) === row) unwritten.delete(row.thread_id);
        begun.delete(row.thread_id);
      }
    } catch (error) {
      onError(error);
    }
    timer = unwritten.size > 0 ? setTimeout(flush, WRITE_EVERY_MS).unref() : undefined;
  }

  /** Writes hints, never back. */
  async function write(rows: readonly MessageRow[]): Promise<void> {
    const updated_at = new Date();
    const fresh = rows.filter((row) => begun.has(row.thread_id));
    let moves = rows.filter((row) => !begun.has(row.thread_id));
    if (fresh.length > 0) {
      const docs = fresh.map((row) => ({ _id: row.thread_id, last_seq: row.seq, last_message: row, updated_at }));
      // Insert and look at the error: racing upserts are slow on some engines.
      await threads.insertMany(docs, { ordered: false }).catch((error) => {
        if (!isDuplicateKey(error)) throw error;
        moves = [...rows];
      });
    }
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

  const receivedLately = (userId: string): Promise<MessageRow[]> =>
    messages
      .find({ recipient_user_id: userId, _id: { $gte: firstIdAt(new Date(Date.now() - LATELY_MS)) } })
      .limit(LATELY_MAX)
      .toArray();

  return {
    remember,
    flush,

    /**
     * The newest message of each of these threads. What `userId` was sent lately is looked at itself, as its hint may be
     * on its way: a client that compares itself with the answer misses nothing.
     */
    async find(threadIds: readonly string[], userId: string): Promise<Map<string, MessageRow>> {
      const [hints, lately] = await Promise.all([
        threads.find({ _id: { $in: [...threadIds] } }).toArray(),
        receivedLately(userId),
      ]);
      const newest = new Map(hints.map(({ _id, last_message }) => [_id, last_message]));
      for (const row of [...lately, ...threadIds.flatMap((id) => unwritten.get(id) ?? [])]) {
        if (row.seq > (newest.get(row.thread_id)?.seq ?? 0)) newest.set(row.thread_id, row);
      }
      return newest;
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
     * looks at what was stored since the last look here, or since shortly before the newest hint.
     */
    async repair(lookBackMs: number): Promise<void> {
      const now = Date.now();
      const newest = await threads.find().sort({ updated_at: -1 }).limit(1).toArray();
      const since = Math.min(newest[0]?.updated_at.getTime() ?? 0, repairedUntil) - lookBackMs;
      const rows = await messages
        .find({ _id: { $gte: firstIdAt(new Date(Math.max(0, since))) } })
        .limit(REPAIR_MAX)
        .toArray();
      remember(rows);
      await flush();
      repairedUntil = now;
    },
  };
}
