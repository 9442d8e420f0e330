import { setImmediate as nextTurn } from "node:timers/promises";
import { FIRST_PAGE_MESSAGES } from "@messageoh/contracts/limits";
import { type Message, startingMessage, type ThreadState } from "@messageoh/contracts/messages";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { Counter } from "@messageoh/service-kit/metrics";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import { createPauses, inParts, type Pause } from "@messageoh/service-kit/pacing";
import type { Markers } from "../markers/marker.model.ts";
import {
  keysBetween,
  type MessageRow,
  type Messages,
  messageKey,
  toMessage,
  WITHOUT_EDITS,
} from "../messages/message.model.ts";
import { friendIn } from "../threads/members.ts";
import type { Threads } from "../threads/thread.model.ts";
import { newestWithin, pickNewest } from "./pickNewest.ts";
import { BLOCK_MESSAGES, type SearchBlocks, type Searched, wholeBlocks } from "./searchBlock.model.ts";
import { createUnreadCounts } from "./unreadCounts.ts";

/** Largest size of a list over all threads. With a starting message for each of 1,000 friends, it stays below 8 MB. */
const LIST_MAX_BYTES = 7_500_000;

/** Messages that are converted before other requests may run. */
const CONVERT_BATCH = 1_000;

/** Threads whose newest message one query reads, at most about 600 kB. */
const NEWEST_THREADS = 50;

/** Messages that one query of a search reads, at most about 12 MB. */
const PART_MESSAGES = 1_000;

const pageGaps = new Counter({
  name: "messageoh_messages_page_gaps_total",
  help: "Pages of a thread with a missing sequence number",
});

/** Position of a page in its thread: directly before or after a sequence number, or at the end. */
type Place = { before?: number; after?: number };

interface Search {
  text: string;
  /** Only messages older than the one with this id. */
  before_id?: string;
  limit?: number;
}

export type History = ReturnType<typeof createHistory>;

/**
 * Creates the queries for users. A page is a range of sequence numbers, some of which may be missing after a failover.
 */
export function createHistory(messages: Messages, threads: Threads, markers: Markers, blocks: SearchBlocks) {
  /** Resolves with the first and the last sequence number of a page. */
  async function numbersOf(threadId: string, { before, after }: Place, limit: number): Promise<[number, number]> {
    if (after !== undefined) return [after + 1, after + limit];
    const end = before ?? (await threads.findLastSeq(threadId)) + 1;
    return [Math.max(1, end - limit), end - 1];
  }

  /** Resolves with the newest message of each thread that has one, by thread id. */
  async function newestOf(of: readonly ThreadMembers[], pause: Pause): Promise<Map<string, MessageRow>> {
    const newest = new Map<string, MessageRow>();
    for (const part of inParts(of, NEWEST_THREADS)) {
      await pause();
      const found = await threads.findNewest(part.map(({ thread_id }) => thread_id));
      for (const [threadId, row] of found) newest.set(threadId, row);
    }
    return newest;
  }

  async function withRead(rows: readonly MessageRow[], of: readonly ThreadMembers[]): Promise<Message[]> {
    const markerOf = await markers.find(of);
    const found: Message[] = [];
    for (const row of rows) {
      found.push(toMessage(row, row.seq <= markerOf(row.thread_id, row.recipient_user_id).read_seq));
      if (found.length % CONVERT_BATCH === 0) await nextTurn();
    }
    return found;
  }

  const unreadCounts = createUnreadCounts(messages);

  return {
    /**
     * Resolves with the newest messages of each thread, ascending, or with the starting message of an empty thread. The
     * oldest messages are omitted if all would exceed {@link LIST_MAX_BYTES}.
     * @param limit messages per thread
     */
    async newest(
      of: readonly ThreadMembers[],
      limit = FIRST_PAGE_MESSAGES,
      pause: Pause = createPauses(),
    ): Promise<Message[]> {
      const newest = await newestOf(of, pause);
      const rows = await pickNewest(messages, [...newest.values()], { limit, maxBytes: LIST_MAX_BYTES, pause });
      const empty = of
        .filter(({ thread_id }) => !newest.has(thread_id))
        .map((thread) => startingMessage(thread, thread.user_ids[0], thread.user_ids[1]));
      return [...empty, ...(await withRead(rows, of))];
    },

    /**
     * Resolves with the messages of one thread directly before or after a sequence number, ascending; by default the
     * newest.
     */
    async page(thread: ThreadMembers, at: Place, limit = FIRST_PAGE_MESSAGES) {
      const { thread_id } = thread;
      const [from, to] = await numbersOf(thread_id, at, limit);
      const rows = await messages
        .find(keysBetween(thread_id, from, to), WITHOUT_EDITS)
        .sort({ _id: 1 })
        .toArray();
      // A missing number at the end of a page looks like the end of the thread, so it is not counted.
      const last = rows.at(-1)?.seq ?? 0;
      if (last - from + 1 > rows.length) pageGaps.inc();
      return withRead(rows, [thread]);
    },

    /** Resolves with the messages of a thread whose latest change has a higher number, ascending by that number. */
    async changed(thread: ThreadMembers, after: number, limit = FIRST_PAGE_MESSAGES): Promise<Message[]> {
      const filter = { thread_id: thread.thread_id, change: { $gt: after } };
      const rows = await messages.find(filter, WITHOUT_EDITS).sort({ change: 1 }).limit(limit).toArray();
      return withRead(rows, [thread]);
    },

    /** Resolves with the messages that contain a text, case-insensitive, newest first. */
    async search(
      of: readonly ThreadMembers[],
      { text, before_id, limit = FIRST_PAGE_MESSAGES }: Search,
      pause: Pause = createPauses(),
    ) {
      const lastSeqs = await threads.findLastSeqs(of.map(({ thread_id }) => thread_id));
      const searched = [...lastSeqs].map(([thread_id, last_seq]) => ({ thread_id, last_seq }));
      await blocks.complete(searched);
      const keys = await blocks.find(searched, { text, limit, before_id }, pause);
      const hits = keys.length === 0 ? [] : await messages.find({ _id: { $in: keys } }, WITHOUT_EDITS).toArray();
      // A message may have changed since its block was read.
      const wanted = text.toLowerCase();
      let rows = hits.filter((row) => !row.deleted_at && row.text.toLowerCase().includes(wanted));
      for (const part of inParts(searched.flatMap(keysBeyondBlocks), PART_MESSAGES)) {
        await pause();
        const found = await messages
          .find(
            {
              _id: { $in: part },
              text: new RegExp(escapeRegExp(text), "i"),
              deleted_at: { $exists: false },
              ...(before_id !== undefined && { id: { $lt: before_id } }),
            },
            WITHOUT_EDITS,
          )
          .sort({ id: -1 })
          .limit(limit)
          .toArray();
        rows = [...rows, ...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
      }
      return withRead(rows, of);
    },

    /**
     * Resolves with the state of each thread for a user. The last messages of the oldest threads are omitted if all
     * would exceed {@link LIST_MAX_BYTES}.
     */
    async states(of: readonly ThreadMembers[], userId: string, pause: Pause = createPauses()): Promise<ThreadState[]> {
      const [newest, markerOf, lastChanges] = await Promise.all([
        newestOf(of, pause),
        markers.find(of),
        threads.findLastChanges(of.map(({ thread_id }) => thread_id)),
      ]);
      const shown = newestWithin(newest.values(), LIST_MAX_BYTES);
      const unread = of.map(({ thread_id }) => ({
        ...{ thread_id, user_id: userId, read_seq: markerOf(thread_id, userId).read_seq },
        // The client counts later messages when it receives them.
        last_seq: newest.get(thread_id)?.seq ?? 0,
      }));
      const counts = await unreadCounts(unread, pause);
      return of.map((thread, index): ThreadState => {
        const { thread_id } = thread;
        const friend_id = friendIn(thread, userId);
        const last = newest.get(thread_id);
        const last_seq = last?.seq ?? 0;
        const own = markerOf(thread_id, userId);
        const friend = markerOf(thread_id, friend_id);
        return {
          thread_id,
          friend_id,
          last_seq,
          last_change: lastChanges.get(thread_id) ?? 0,
          read_seq: own.read_seq,
          friend_read_seq: friend.read_seq,
          friend_delivered_seq: friend.delivered_seq,
          unread_count: counts[index] as number,
          last_message:
            last && shown.has(last)
              ? toMessage(last, last.seq <= (last.recipient_user_id === userId ? own : friend).read_seq)
              : null,
        };
      });
    },
  };
}

function keysOf(threadId: string, from: number, to: number): string[] {
  const first = Math.max(1, from);
  return Array.from({ length: Math.max(0, to - first + 1) }, (_, index) => messageKey(threadId, first + index));
}

/** Returns the keys after the whole blocks of a thread: all keys of a short thread. */
const keysBeyondBlocks = ({ thread_id, last_seq }: Searched): string[] =>
  keysOf(thread_id, wholeBlocks(last_seq) * BLOCK_MESSAGES + 1, last_seq);
