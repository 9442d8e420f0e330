import type { MessageRow, Messages } from "../messages/message.model.ts";

/** What a thread numbers: its messages, and its changes. A refused message has neither number. */
type Numbering = "seq" | "change";

/** Rows of one read. Decoding a larger batch of long messages would block the event loop. */
const READ_BATCH = 100;

export type Threads = ReturnType<typeof createThreads>;

/**
 * Creates the queries for the newest messages of threads. Majority reads return no message that a failover may roll
 * back.
 */
export function createThreads(messages: Messages) {
  /**
   * Returns a query for the highest number of each thread that has one, by thread id. It reads one index key per
   * thread.
   */
  const highestOfEach =
    (field: Numbering) =>
    async (threadIds: readonly string[]): Promise<Map<string, number>> => {
      if (threadIds.length === 0) return new Map();
      const rows = await messages
        .aggregate<{ _id: string } & Record<Numbering, number>>([
          { $match: { thread_id: { $in: threadIds }, [field]: { $gt: 0 } } },
          { $sort: { thread_id: 1, [field]: -1 } },
          { $group: { _id: "$thread_id", [field]: { $first: `$${field}` } } },
        ])
        .toArray();
      return new Map(rows.map((row) => [row._id, row[field]]));
    };

  /** Returns a query for the highest number in a thread, or 0. */
  const highestOf =
    (field: Numbering) =>
    async (thread_id: string): Promise<number> => {
      const last = { sort: { [field]: -1 }, projection: { _id: 0, [field]: 1 } } as const;
      return (await messages.findOne({ thread_id, [field]: { $gt: 0 } }, last))?.[field] ?? 0;
    };

  /**
   * Resolves with the newest message of each thread that has one, by thread id. Takes one index seek per thread
   * (DISTINCT_SCAN).
   */
  async function findNewest(threadIds: readonly string[]): Promise<Map<string, MessageRow>> {
    if (threadIds.length === 0) return new Map();
    const rows = await messages
      .aggregate<{ _id: string; newest: MessageRow }>([
        { $match: { thread_id: { $in: threadIds }, seq: { $gt: 0 } } },
        { $sort: { thread_id: 1, seq: -1 } },
        { $group: { _id: "$thread_id", newest: { $first: "$$ROOT" } } },
        { $unset: "newest.edits" },
      ])
      .batchSize(READ_BATCH)
      .toArray();
    return new Map(rows.map(({ _id, newest }) => [_id, newest]));
  }

  return {
    findNewest,
    findLastSeqs: highestOfEach("seq"),
    findLastChanges: highestOfEach("change"),
    findLastSeq: highestOf("seq"),
    findLastChange: highestOf("change"),
  };
}
