import { inParts, type Pause } from "@messageoh/service-kit/pauses";
import { LRUCache } from "lru-cache";
import { keysBetween, type Messages } from "../messages/message.model.ts";

/** Largest count. */
const COUNT_MAX = 1_000;
/** Messages that one query reads. */
const PART_MESSAGES = 2_000;
/** Queries at the same time: fewer than the connections for reads. */
const CONCURRENCY = 4;
/** Remembered counts, at most about 200 bytes each: 20 MB. */
const REMEMBERED_MAX = 100_000;

/** A thread of a user, with the user's read marker and the last number to count. */
export interface Unread {
  thread_id: string;
  user_id: string;
  read_seq: number;
  last_seq: number;
}

/** The messages to the user with `after < seq <= to`. */
interface Counted {
  after: number;
  to: number;
  count: number;
}

/**
 * Returns a function that resolves with the number of unread messages in each of several threads, at most {@link
 * COUNT_MAX}. Counts are remembered, so the next count reads only what is newer. Without this, each list of threads
 * would read all messages after the read marker, which may be a monologue of 100,000.
 */
export function createUnreadCounts(messages: Messages) {
  const remembered = new LRUCache<string, Counted>({ max: REMEMBERED_MAX });

  /** Returns the count to continue from. */
  function begin({ thread_id, user_id, read_seq, last_seq }: Unread) {
    const key = `${thread_id}:${user_id}`;
    const known = remembered.get(key);
    const isUsable = known && known.after <= read_seq && read_seq < known.to && known.to <= last_seq;
    const counted = isUsable ? known : { after: read_seq, to: read_seq, count: 0 };
    return { thread_id, user_id, read_seq, last_seq, key, counted, isComplete: true };
  }
  type Count = ReturnType<typeof begin>;

  const isBehind = ({ read_seq, last_seq, counted: { after, to, count } }: Count) =>
    after < read_seq || (to < last_seq && count < COUNT_MAX);

  /** Counts up to {@link PART_MESSAGES} more, or subtracts those that were read meanwhile. */
  async function step(count: Count): Promise<void> {
    const { key, thread_id, user_id, read_seq, last_seq, counted } = count;
    const isRead = counted.after < read_seq;
    const from = isRead ? counted.after : counted.to;
    const to = Math.min(isRead ? read_seq : last_seq, from + PART_MESSAGES);
    const isUnread = { $cond: [{ $eq: ["$recipient_user_id", user_id] }, 1, 0] };
    const [found] = await messages
      .aggregate<{ all: number; unread: number }>([
        { $match: keysBetween(thread_id, from + 1, to) },
        { $group: { _id: null, all: { $sum: 1 }, unread: { $sum: isUnread } } },
      ])
      .toArray();
    const { all = 0, unread = 0 } = found ?? {};
    count.counted = isRead
      ? { ...counted, after: to, count: counted.count - unread }
      : { ...counted, to, count: counted.count + unread };
    // After a failover a number is missing, or a primary that was replaced does not have it.
    count.isComplete &&= all === to - from;
    if (count.isComplete) remembered.set(key, count.counted);
  }

  return async (threads: readonly Unread[], pause: Pause): Promise<number[]> => {
    const counts = threads.map(begin);
    for (let open = counts.filter(isBehind); open.length > 0; open = open.filter(isBehind)) {
      for (const part of inParts(open, CONCURRENCY)) {
        await pause();
        await Promise.all(part.map(step));
      }
    }
    return counts.map(({ counted: { count } }) => Math.min(count, COUNT_MAX));
  };
}
