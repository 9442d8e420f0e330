import type { MessageRow, Messages } from "../messages/message.model.ts";

/** Refused messages have no number. */
const numbered = (threadIds: readonly string[]) => ({ thread_id: { $in: threadIds }, seq: { $gt: 0 } });

/** Rows of one read. Decoding a larger batch of long messages would block the event loop. */
const READ_BATCH = 100;

export type Threads = ReturnType<typeof createThreads>;

/**
 * Creates the queries for the newest messages of threads. Majority reads return no message that a failover may roll
 * back.
 */
export function createThreads(messages: Messages) {
  /**
   * Resolves with the last sequence number of each thread that has a message, by thread id. Reads one index key per
   * thread and no messages.
   */
  async function findLastSeqs(threadIds: readonly string[]): Promise<Map<string, number>> {
    if (threadIds.length === 0) return new Map();
    const rows = await messages
      .aggregate<{ _id: string; seq: number }>([
        { $match: numbered(threadIds) },
        { $sort: { thread_id: 1, seq: -1 } },
        { $group: { _id: "$thread_id", seq: { $first: "$seq" } } },
      ])
      .toArray();
    return new Map(rows.map(({ _id, seq }) => [_id, seq]));
  }

  /** Resolves with the number of the latest change of each thread that has one, by thread id. Reads one index key per thread. */
  async function findLastChanges(threadIds: readonly string[]): Promise<Map<string, number>> {
    if (threadIds.length === 0) return new Map();
    const rows = await messages
      .aggregate<{ _id: string; change: number }>([
        { $match: { thread_id: { $in: threadIds }, change: { $gt: 0 } } },
        { $sort: { thread_id: 1, change: -1 } },
        { $group: { _id: "$thread_id", change: { $first: "$change" } } },
      ])
      .toArray();
    return new Map(rows.map(({ _id, change }) => [_id, change]));
  }

  /**
   * Resolves with the newest message of each thread that has one, by thread id. Takes one index seek per thread
   * (DISTINCT_SCAN).
   */
  async function findNewest(threadIds: readonly string[]): Promise<Map<string, MessageRow>> {
    if (threadIds.length === 0) return new Map();
    const rows = messages
      .aggregate<{ _id: string; newest: MessageRow }>([
        { $match: numbered(threadIds) },
        { $sort: { thread_id: 1, seq: -1 } },
        { $group: { _id: "$thread_id", newest: { $first: "$$ROOT" } } },
        { $unset: "newest.edits" },
      ])
      .batchSize(READ_BATCH);
    const newest = new Map<string, MessageRow>();
    for await (const row of rows) newest.set(row._id, row.newest);
    return newest;
  }

  return {
    findNewest,
    findLastSeqs,
    findLastChanges,
    /** Resolves with the number of the latest change in a thread, or 0. */
    async findLastChange(thread_id: string): Promise<number> {
      const last = { sort: { change: -1 }, projection: { _id: 0, change: 1 } } as const;
      return (await messages.findOne({ thread_id, change: { $gt: 0 } }, last))?.change ?? 0;
    },
    /** Resolves with the last sequence number of a thread, or 0. */
    async findLastSeq(thread_id: string): Promise<number> {
      const last = { sort: { seq: -1 }, projection: { _id: 0, seq: 1 } } as const;
      return (await messages.findOne({ thread_id, seq: { $gt: 0 } }, last))?.seq ?? 0;
    },
  };
}
