import { CLOCK_TOLERANCE_MS } from "@messageoh/contracts/limits";
import type { NewMessage } from "@messageoh/contracts/messages";
import { type Insert, type MessageRow, type Messages, messageKey, newMessageId, toMessage } from "./message.model.ts";
import type { Threads } from "./thread.model.ts";

/** What became of a message. A repeat was stored before. */
export interface Stored {
  row: MessageRow;
  /** The message as it crosses the wire, serialised once for all who pass it on. */
  json: string;
  isRepeat: boolean;
}

/** The end of a thread: the next message gets the next number and a time that is not earlier. */
interface Tail {
  seq: number;
  timestamp: number;
}

/**
 * Makes the function that stores a batch in its order and answers a row for each message: the new one, or, for a message
 * that is sent again, the one stored before. It must not run twice at a time in one process (see writer.ts); other
 * processes may store into the same threads meanwhile.
 *
 * Numbers have no gaps because a message takes the next number by being stored under it: where another process was
 * quicker, the taken key stops the ordered insert there, and the rest is numbered anew.
 */
export function createStoreBatch(messages: Messages, insert: Insert, threads: Threads, now = Date.now) {
  const tails = new Map<string, Tail>();

  async function tailOf(threadId: string): Promise<Tail> {
    const known = tails.get(threadId);
    if (known) return known;
    const last = await threads.findLast(threadId);
    const tail = { seq: last?.seq ?? 0, timestamp: last?.timestamp.getTime() ?? 0 };
    if (tails.size >= 100_000) tails.clear();
    tails.set(threadId, tail);
    return tail;
  }

  async function numberRows(batch: readonly NewMessage[]): Promise<MessageRow[]> {
    const next = new Map<string, Tail>();
    const rows: MessageRow[] = [];
    for (const message of batch) {
      const tail = next.get(message.thread_id) ?? { ...(await tailOf(message.thread_id)) };
      tail.seq += 1;
      tail.timestamp = Math.max(tail.timestamp, trustedTime(message.timestamp, now()));
      next.set(message.thread_id, tail);
      rows.push({
        _id: messageKey(message.thread_id, tail.seq),
        id: newMessageId(),
        client_id: message.client_id,
        thread_id: message.thread_id,
        seq: tail.seq,
        sending_user_id: message.sending_user_id,
        recipient_user_id: message.recipient_user_id,
        text: message.text,
        timestamp: new Date(tail.timestamp),
      });
    }
    return rows;
  }

  function moveTails(rows: readonly MessageRow[]): void {
    for (const row of rows) tails.set(row.thread_id, { seq: row.seq, timestamp: row.timestamp.getTime() });
  }

  async function findRepeats(batch: readonly NewMessage[]): Promise<Map<string, MessageRow>> {
    const rows = await messages
      .find({
        sending_user_id: { $in: [...new Set(batch.map((message) => message.sending_user_id))] },
        client_id: { $in: batch.map((message) => message.client_id) },
      })
      .toArray();
    return new Map(rows.map((row) => [repeatKey(row), row]));
  }

  return async function storeBatch(batch: readonly NewMessage[]): Promise<Stored[]> {
    const stored = new Map<NewMessage, Stored>();
    let rest = batch;
    while (rest.length > 0) {
      const rows = await numberRows(rest);
      const done = await insert(rows).catch((error) => {
        // Nobody knows what was stored, so nothing of what we remember holds.
        for (const message of batch) tails.delete(message.thread_id);
        throw error;
      });
      moveTails(rows.slice(0, done));
      rest.slice(0, done).forEach((message, index) => {
        stored.set(message, asStored(rows[index] as MessageRow, false));
      });
      rest = rest.slice(done);
      const stopped = rest[0];
      if (!stopped) break;
      const repeats = await findRepeats(rest);
      if (!repeats.has(repeatKey(stopped))) tails.delete(stopped.thread_id);
      for (const message of rest) {
        const row = repeats.get(repeatKey(message));
        if (row) stored.set(message, asStored(row, true));
      }
      rest = rest.filter((message) => !stored.has(message));
    }
    return batch.map((message) => stored.get(message) as Stored);
  };
}

const asStored = (row: MessageRow, isRepeat: boolean): Stored => ({
  row,
  json: JSON.stringify(toMessage(row, false)),
  isRepeat,
});

const repeatKey = (of: { sending_user_id: string; client_id: string }) => `${of.sending_user_id}:${of.client_id}`;

/** A client's clock counts only near the server's own. */
function trustedTime(timestamp: string | undefined, now: number): number {
  const claimed = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Math.abs(claimed - now) <= CLOCK_TOLERANCE_MS ? claimed : now;
}
