import type { MessageRow, Messages } from "./message.model.ts";

/** A larger batch of long messages would block the event loop while it is decoded. */
const READ_TOGETHER = 100;

export type Threads = ReturnType<typeof createThreads>;

/** The newest message of threads. Majority reads see no message that a failover may take back. */
export function createThreads(messages: Messages) {
  /** By thread id; threads without messages are absent. One index seek per thread (a DISTINCT_SCAN). */
  async function findNewest(threadIds: readonly string[]): Promise<Map<string, MessageRow>> {
    if (threadIds.length === 0) return new Map();
    const rows = messages
      .aggregate<{ _id: string; newest: MessageRow }>([
        { $match: { thread_id: { $in: threadIds } } },
        { $sort: { thread_id: 1, seq: -1 } },
        { $group: { _id: "$thread_id", newest: { $first: "$$ROOT" } } },
      ])
      .batchSize(READ_TOGETHER);
    const newest = new Map<string, MessageRow>();
    for await (const row of rows) newest.set(row._id, row.newest);
    return newest;
  }

  return {
    findNewest,
    findLastSeq: async (threadId: string): Promise<number> => (await findNewest([threadId])).get(threadId)?.seq ?? 0,
  };
}
