import { atMost } from "@messageoh/service-kit/atMost";
import type { Pause } from "@messageoh/service-kit/pauses";
import { LRUCache } from "lru-cache";
import { keysBetween, type Messages } from "../messages/message.model.ts";

/** Largest count. */
const COUNT_MAX = 1_000;
/** Most messages that one query reads, and most threads they are in. */
const PART_MESSAGES = 2_000;
const PART_THREADS = 100;
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
  const remembered = new LRUCache<string, Counted>(atMost(REMEMBERED_MAX));

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

  /**
   * Chooses the messages that the next query reads. Those that were read since a count are to be subtracted from it.
   */
  function nextPart(open: readonly Count[]) {
    let left = PART_MESSAGES;
    return open.slice(0, PART_THREADS).flatMap((count) => {
      const { read_seq, last_seq, counted } = count;
      const isRead = counted.after < read_seq;
      const from = isRead ? counted.after : counted.to;
      const to = Math.min(isRead ? read_seq : last_seq, from + left);
      left -= to - from;
      return to > from ? { count, isRead, from, to } : [];
    });
  }

  /** Continues some of the counts with one query. */
  async function step(open: readonly Count[]): Promise<void> {
    const part = nextPart(open);
    const found = await messages
      .aggregate<{ _id: { thread_id: string; user_id: string }; count: number }>([
        { $match: { $or: part.map(({ count, from, to }) => keysBetween(count.thread_id, from + 1, to)) } },
        { $group: { _id: { thread_id: "$thread_id", user_id: "$recipient_user_id" }, count: { $sum: 1 } } },
      ])
      .toArray();
    for (const { count, isRead, from, to } of part) {
      const { key, thread_id, user_id, counted } = count;
      const groups = found.filter(({ _id }) => _id.thread_id === thread_id);
      const all = groups.reduce((sum, group) => sum + group.count, 0);
      const unread = groups.find(({ _id }) => _id.user_id === user_id)?.count ?? 0;
      count.counted = isRead
        ? { ...counted, after: to, count: counted.count - unread }
        : { ...counted, to, count: counted.count + unread };
      // After a failover a number is missing, or a primary that was replaced does not have it.
      count.isComplete &&= all === to - from;
      if (count.isComplete) remembered.set(key, count.counted);
    }
  }

  return async (threads: readonly Unread[], pause: Pause): Promise<number[]> => {
    const counts = threads.map(begin);
    for (let open = counts.filter(isBehind); open.length > 0; open = open.filter(isBehind)) {
      await pause();
      await step(open);
    }
    return counts.map(({ counted: { count } }) => Math.min(count, COUNT_MAX));
  };
}
