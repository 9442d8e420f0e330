import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { inParts, type Pause } from "@messageoh/service-kit/pauses";
import { type MessageRow, type Messages, messageKey, WITHOUT_EDITS } from "../messages/message.model.ts";
import type { Threads } from "../threads/thread.model.ts";

/** Largest size of a list over all threads. With a starting message for each of 1,000 friends, it stays below 8 MB. */
export const LIST_MAX_BYTES = 7_500_000;
/** Threads whose newest message one query reads, at most about 600 kB. */
const NEWEST_THREADS = 50;
/** Messages of one read, at most about 1.2 MB. */
const READ_BATCH = 100;
/** Size of a message in JSON without its text, its attachments and its link preview. */
const OVERHEAD_BYTES = 400;
/** Messages per thread that each pass adds. All threads get their newest messages before any thread gets more. */
const PASSES = [1, 9, 40, 50, 100];

export interface PickOptions {
  /** Messages per thread, at most the sum of {@link PASSES}. */
  limit: number;
  /** Largest size of the result in JSON, in bytes; older messages are omitted. */
  maxBytes: number;
  pause: Pause;
}

/**
 * Resolves with the newest messages of threads, ascending within each thread.
 * @param lasts the newest message of each thread
 */
export async function pickNewest(
  messages: Messages,
  lasts: readonly MessageRow[],
  { limit, maxBytes, pause }: PickOptions,
): Promise<MessageRow[]> {
  const recent = lasts.toSorted(byTime);
  const picked: MessageRow[] = [];
  let bytes = 0;
  let depth = 0;
  for (const size of PASSES) {
    const count = Math.min(size, limit - depth);
    const together = Math.ceil(READ_BATCH / count);
    for (let start = 0; start < recent.length; start += together) {
      await pause();
      const some = recent.slice(start, start + together);
      for await (const row of depth === 0 ? some : read(some.flatMap((last) => keysBelow(last, depth, count)))) {
        bytes += jsonBytes(row);
        if (bytes > maxBytes) return inOrder(picked);
        picked.push(row);
      }
    }
    depth += count;
    if (depth >= limit) break;
  }
  return inOrder(picked);

  function read(keys: string[]): AsyncIterable<MessageRow> | MessageRow[] {
    return keys.length === 0 ? [] : messages.find({ _id: { $in: keys } }, WITHOUT_EDITS).batchSize(READ_BATCH);
  }
}

/** Resolves with the newest message of each thread that has one, by thread id. */
export async function findNewest(
  threads: Pick<Threads, "findNewest">,
  of: readonly ThreadMembers[],
  pause: Pause,
): Promise<Map<string, MessageRow>> {
  const newest = new Map<string, MessageRow>();
  for (const part of inParts(of, NEWEST_THREADS)) {
    await pause();
    const found = await threads.findNewest(part.map(({ thread_id }) => thread_id));
    for (const [threadId, row] of found) newest.set(threadId, row);
  }
  return newest;
}

/** Compares messages of any threads, the newest first. */
export const byTime = (a: MessageRow, b: MessageRow) => b.timestamp.getTime() - a.timestamp.getTime();

/** Returns up to `count` keys of a thread, descending from the one that is `depth` below the last message. */
function keysBelow({ thread_id, seq }: MessageRow, depth: number, count: number): string[] {
  const length = Math.max(0, Math.min(count, seq - depth));
  return Array.from({ length }, (_, index) => messageKey(thread_id, seq - depth - index));
}

/** Sorts rows by thread and number. Comparing numbers within a thread is cheaper than comparing all keys. */
function inOrder(rows: readonly MessageRow[]): MessageRow[] {
  const byThread = Map.groupBy(rows, ({ thread_id }) => thread_id);
  return [...byThread.keys()].sort().flatMap((id) => byThread.get(id)?.sort((a, b) => a.seq - b.seq) ?? []);
}

/** Returns the approximate size of a message or a draft in JSON, in bytes. */
export const jsonBytes = ({ text, attachments = [], preview }: Sized): number =>
  OVERHEAD_BYTES + Buffer.byteLength(JSON.stringify([text, ...attachments, preview]));
type Sized = Pick<MessageRow, "text"> & Partial<Pick<MessageRow, "attachments" | "preview">>;

/** Returns the first of these messages or drafts whose total size in JSON is at most `maxBytes`. */
export function firstWithin<T extends Sized>(items: readonly T[], maxBytes: number): Set<T> {
  let left = maxBytes;
  const isBeyond = (item: T) => {
    left -= jsonBytes(item);
    return left < 0;
  };
  const end = items.findIndex(isBeyond);
  return new Set(end < 0 ? items : items.slice(0, end));
}
