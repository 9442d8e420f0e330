import { keysBetween, LAST_SEQ, type Messages } from "../messages/message.model.ts";

/**
 * Resolves with the number of the first shown message of a thread at or after a time, or above the last number if there
 * is none. The times of a thread ascend with the numbers, so a binary search reads few messages, of any thread, without
 * an index.
 * @param last number of the newest message
 * @param hidden numbers of hidden messages
 */
export async function firstSince(
  messages: Messages,
  { threadId, last, hidden }: { threadId: string; last: number; hidden: ReadonlySet<number> },
  time: Date,
): Promise<number> {
  let first = last + 1;
  let [from, to] = [1, last + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // Some numbers may be missing after a failover.
    const row = await messages.findOne(
      { ...keysBetween(threadId, middle, LAST_SEQ), seq: { $nin: [...hidden] } },
      { sort: { _id: 1 }, projection: { seq: 1, timestamp: 1 } },
    );
    if (row && row.timestamp < time) from = row.seq + 1;
    else {
      first = row?.seq ?? first;
      to = middle;
    }
  }
  return first;
}
