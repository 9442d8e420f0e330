import { type MessageRow, type Messages, messageKey } from "./message.model.ts";

const READ_TOGETHER = 500;
/** What a message weighs in JSON besides its text. */
const OVERHEAD_BYTES = 400;
/** Messages of each thread that one pass adds: every thread gets its newest ones before any gets more. */
const PASSES = [1, 9, 40, 50, 100];

/**
 * Reads the newest messages of threads, ascending within each thread.
 * @param lasts the newest message of each thread
 * @param limit messages per thread, at most the sum of {@link PASSES}
 * @param maxBytes size in JSON, in bytes, at which reading ends: older messages are left out
 */
export async function pickNewest(
  messages: Messages,
  lasts: readonly MessageRow[],
  limit: number,
  maxBytes: number,
): Promise<MessageRow[]> {
  const recent = lasts.toSorted((a, b) => b.timestamp.getTime() - a.timestamp.getTime());
  const picked: MessageRow[] = [];
  let bytes = 0;
  let depth = 0;
  for (const size of PASSES) {
    const count = Math.min(size, limit - depth);
    const keys = recent.flatMap(({ thread_id, seq }) => keysBelow(thread_id, seq - depth, count));
    for (let start = 0; start < keys.length; start += READ_TOGETHER) {
      const _id = { $in: keys.slice(start, start + READ_TOGETHER) };
      for (const row of depth === 0
        ? recent.slice(start, start + READ_TOGETHER)
        : await messages.find({ _id }).toArray()) {
        bytes += OVERHEAD_BYTES + Buffer.byteLength(JSON.stringify(row.text));
        if (bytes > maxBytes) return inOrder(picked);
        picked.push(row);
      }
    }
    depth += count;
    if (depth >= limit) break;
  }
  return inOrder(picked);
}

/** The keys of the numbers `seq`, `seq - 1`, ... down to 1, at most `count` of them. */
const keysBelow = (threadId: string, seq: number, count: number): string[] =>
  Array.from({ length: Math.max(0, Math.min(count, seq)) }, (_, index) => messageKey(threadId, seq - index));

const inOrder = (rows: MessageRow[]): MessageRow[] => rows.sort((a, b) => (a._id < b._id ? -1 : 1));
