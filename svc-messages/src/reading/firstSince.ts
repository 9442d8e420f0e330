import { LAST_SEQ, type Messages, messageKey } from "../messages/message.model.ts";

/**
 * Resolves with the number of the first message of a thread at or after a time, or above the last number if there is none.
 * The times of a thread ascend with the numbers, so a binary search reads few messages, of any thread, without an index.
 * @param last number of the newest message
 */
export async function firstSince(messages: Messages, threadId: string, last: number, time: Date): Promise<number> {
  let first = last + 1;
  let [from, to] = [1, last + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // Some numbers may be missing after a failover.
    const row = await messages.findOne(
      { _id: { $gte: messageKey(threadId, middle), $lte: messageKey(threadId, LAST_SEQ) } },
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
