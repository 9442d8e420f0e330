import { setImmediate as nextTurn } from "node:timers/promises";
import { foldCase } from "@messageoh/contracts/foldCase";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FIRST_PAGE_MESSAGES } from "@messageoh/contracts/limits";
import {
  type Draft,
  type Message,
  type MessageVersion,
  startingMessage,
  type ThreadState,
} from "@messageoh/contracts/messages";
import { notFound } from "@messageoh/service-kit/errors";
import { Counter } from "@messageoh/service-kit/metrics";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import { createPauses, inParts, type Pause } from "@messageoh/service-kit/pauses";
import type { Marks } from "../changes/marks.model.ts";
import type { Markers } from "../markers/marker.model.ts";
import {
  keysBetween,
  type MessageRow,
  type Messages,
  messageKey,
  newestFirst,
  toMessage,
  WITHOUT_EDITS,
} from "../messages/message.model.ts";
import { friendIn } from "../threads/members.ts";
import type { Threads } from "../threads/thread.model.ts";
import { firstSince } from "./firstSince.ts";
import { byTime, firstWithin, pickNewest } from "./pickNewest.ts";
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

/** Position of a page in its thread: directly before or after a sequence number, from a time on, or at the end. */
type Place = { before?: number; after?: number; from?: Date };

/** Position of a page of messages of several threads. */
interface Page {
  /** Only messages older than the one with this id. */
  before_id?: string | undefined;
  limit?: number | undefined;
}
interface Search extends Page {
  text: string;
}
/** A thread to search: up to the last message that it had when the search was prepared. */
type SearchedThread = ThreadMembers & Searched;

export interface HistoryDeps {
  messages: Messages;
  threads: Threads;
  markers: Markers;
  marks: Marks;
  blocks: SearchBlocks;
}
type MarksOf = Awaited<ReturnType<Marks["find"]>>;

export type History = ReturnType<typeof createHistory>;

export const pinnedFilter = (thread_id: string) => ({ thread_id, "pinned.at": { $exists: true } });

/**
 * Creates the queries for users, whose results leave out the messages that the user has hidden. A page is a range of
 * sequence numbers, some of which may be missing: hidden ones, and some after a failover.
 */
export function createHistory({ messages, threads, markers, marks, blocks }: HistoryDeps) {
  /**
   * Resolves with the first and the last sequence number of a page.
   * @param left numbers of hidden messages: the newest page ends at the newest shown one, and one from a time on begins
   * at the first shown one
   */
  async function numbersOf(
    threadId: string,
    { before, after, from }: Place,
    left: ReadonlySet<number>,
    limit: number,
  ): Promise<[number, number]> {
    if (after !== undefined) return [after + 1, after + limit];
    const last = before === undefined ? await threads.findLastSeq(threadId) : 0;
    if (from) {
      const first = await firstSince(messages, { threadId, last, left }, from);
      return [first, first + limit - 1];
    }
    const end = before ?? newestShown(last, left) + 1;
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
    const threadIds = new Set(rows.map(({ thread_id }) => thread_id));
    const markerOf = await markers.find(of.filter(({ thread_id }) => threadIds.has(thread_id)));
    const found: Message[] = [];
    for (const row of rows) {
      found.push(toMessage(row, row.seq <= markerOf(row.thread_id, row.recipient_user_id).read_seq));
      if (found.length % CONVERT_BATCH === 0) await nextTurn();
    }
    return found;
  }

  /** Resolves with the newest message of each thread that is not hidden, or with nothing of a thread without one. */
  async function newestShownOf(rows: readonly MessageRow[], { hiddenIn, isShown }: MarksOf): Promise<MessageRow[]> {
    const keys = rows
      .filter((row) => !isShown(row))
      .map(({ thread_id, seq }) => messageKey(thread_id, newestShown(seq, hiddenIn(thread_id))));
    const others = keys.length === 0 ? [] : await messages.find({ _id: { $in: keys } }, WITHOUT_EDITS).toArray();
    return [...rows.filter(isShown), ...others];
  }

  const unreadCounts = createUnreadCounts(messages);

  return {
    /**
     * Resolves with the newest messages of each thread, ascending, or with the starting message of a thread without
     * one. The oldest messages are omitted if all would exceed {@link LIST_MAX_BYTES}.
     * @param limit messages per thread, hidden ones included
     */
    async newest(
      of: readonly ThreadMembers[],
      userId: string,
      limit = FIRST_PAGE_MESSAGES,
      pause: Pause = createPauses(),
    ): Promise<Message[]> {
      const [newest, marksOf] = await Promise.all([newestOf(of, pause), marks.find(of, userId)]);
      const lasts = await newestShownOf([...newest.values()], marksOf);
      const rows = await pickNewest(messages, lasts, { limit, maxBytes: LIST_MAX_BYTES, pause });
      const withMessages = new Set(lasts.map(({ thread_id }) => thread_id));
      const empty = of
        .filter(({ thread_id }) => !withMessages.has(thread_id))
        .map((thread) => startingMessage(thread, thread.user_ids[0], thread.user_ids[1]));
      return [...empty, ...(await withRead(rows.filter(marksOf.isShown), of))];
    },

    /**
     * Resolves with the messages of one thread directly before or after a sequence number, or from a time on,
     * ascending; by default the newest.
     */
    async page(thread: ThreadMembers, userId: string, at: Place, limit = FIRST_PAGE_MESSAGES) {
      const { thread_id } = thread;
      const { hiddenIn, isShown } = await marks.find([thread], userId);
      const [from, to] = await numbersOf(thread_id, at, hiddenIn(thread_id), limit);
      const rows = await messages
        .find(keysBetween(thread_id, from, to), WITHOUT_EDITS)
        .sort({ _id: 1 })
        .toArray();
      // A missing number at the end of a page looks like the end of the thread, so it is not counted.
      const last = rows.at(-1)?.seq ?? 0;
      if (last - from + 1 > rows.length) pageGaps.inc();
      return withRead(rows.filter(isShown), [thread]);
    },

    /** Resolves with the messages of a thread whose latest change has a higher number, ascending by that number. */
    async changed(
      thread: ThreadMembers,
      userId: string,
      after: number,
      limit = FIRST_PAGE_MESSAGES,
    ): Promise<Message[]> {
      const { thread_id } = thread;
      const { hiddenIn } = await marks.find([thread], userId);
      const filter = { thread_id, change: { $gt: after }, seq: { $nin: [...hiddenIn(thread_id)] } };
      const rows = await messages.find(filter, WITHOUT_EDITS).sort({ change: 1 }).limit(limit).toArray();
      return withRead(rows, [thread]);
    },

    /** Resolves with the pinned messages of a thread, ascending. */
    async pinned(thread: ThreadMembers, userId: string): Promise<Message[]> {
      const { isShown } = await marks.find([thread], userId);
      const rows = await messages.find(pinnedFilter(thread.thread_id), WITHOUT_EDITS).sort({ seq: 1 }).toArray();
      return withRead(rows.filter(isShown), [thread]);
    },

    /** Resolves with a page of the messages that a user has starred, newest first: those older than `before_id`. */
    async starred(of: readonly ThreadMembers[], userId: string, { before_id, limit = FIRST_PAGE_MESSAGES }: Page) {
      const { starredIn, isShown } = await marks.find(of, userId);
      const keys = of.flatMap(({ thread_id }) =>
        starredIn(thread_id)
          .filter((seq) => isShown({ thread_id, seq }))
          .map((seq) => messageKey(thread_id, seq)),
      );
      if (keys.length === 0) return [];
      const filter = { _id: { $in: keys }, ...(before_id !== undefined && { id: { $lt: before_id } }) };
      const rows = await messages.find(filter, WITHOUT_EDITS).sort({ id: -1 }).limit(limit).toArray();
      return withRead(rows, of);
    },

    /**
     * Resolves with all texts of a message, oldest first, or with none if it is deleted. Rejects with 404 without the
     * message.
     */
    async versions({ thread_id }: ThreadMembers, seq: number): Promise<MessageVersion[]> {
      const row = await messages.findOne({ _id: messageKey(thread_id, seq) });
      if (!row) throw notFound("No such message");
      if (row.deleted_at) return [];
      const versions = [...(row.edits ?? []), { text: row.text, at: row.edited_at ?? row.timestamp }];
      return versions.map(({ text, at }) => ({ text, at: at.toISOString() }));
    },

    /**
     * Resolves with those threads that have messages, for `search`, after their missing search blocks are built.
     * That can take minutes, and other searches may wait for the same blocks, so it needs no place of a queue.
     * @param isGone whether the client has gone; no further thread is begun then
     */
    async prepareSearch(of: readonly ThreadMembers[], isGone: () => boolean = () => false): Promise<SearchedThread[]> {
      const lastSeqs = await threads.findLastSeqs(of.map(({ thread_id }) => thread_id));
      const searched = of.flatMap((thread) => {
        const last_seq = lastSeqs.get(thread.thread_id);
        return last_seq === undefined ? [] : [{ ...thread, last_seq }];
      });
      await blocks.complete(searched, isGone);
      return searched;
    },

    /** Resolves with the messages that contain a text, case-insensitive, newest first. */
    async search(
      searched: readonly SearchedThread[],
      userId: string,
      { text, before_id, limit = FIRST_PAGE_MESSAGES }: Search,
      pause: Pause = createPauses(),
    ) {
      const { hiddenIn, isShown } = await marks.find(searched, userId);
      const keys = await blocks.find(searched, { text, isShown, limit, before_id }, pause);
      const inBlocks = () =>
        messages
          .find({ _id: { $in: keys } }, WITHOUT_EDITS)
          .sort({ id: -1 })
          .toArray();
      const hits = keys.length === 0 ? [] : await inBlocks();
      // A message may have changed since its block was read.
      const wanted = foldCase(text);
      let rows = hits.filter((row) => !row.deleted_at && foldCase(row.text).includes(wanted));
      for (const part of inParts(
        searched.flatMap((thread) => keysBeyondBlocks(thread, hiddenIn(thread.thread_id))),
        PART_MESSAGES,
      )) {
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
        rows = [...rows, ...found].sort(newestFirst).slice(0, limit);
      }
      return withRead(rows, searched);
    },

    /**
     * Resolves with the state of each thread for a user. The last messages of the oldest threads are omitted if all
     * would exceed {@link LIST_MAX_BYTES} with the drafts and the numbers of marked messages.
     */
    async states(of: readonly ThreadMembers[], userId: string, pause: Pause = createPauses()): Promise<ThreadState[]> {
      // First, because a client takes all changes up to it to be in the messages that it gets with it or later.
      const lastChanges = await threads.findLastChanges(of.map(({ thread_id }) => thread_id));
      const [newest, markerOf, { hiddenIn, starredIn, draftIn, isShown }] = await Promise.all([
        newestOf(of, pause),
        markers.find(of),
        marks.find(of, userId, {}),
      ]);
      const drafts = of.flatMap(({ thread_id }) => draftIn(thread_id) ?? []);
      const lasts = [...newest.values()].filter(isShown).sort(byTime);
      const markedBytes = of.reduce((bytes, { thread_id }) => {
        const digits = String(newest.get(thread_id)?.seq ?? 0).length;
        return bytes + (hiddenIn(thread_id).size + starredIn(thread_id).length) * (digits + 1);
      }, 0);
      // Drafts come first: a client takes one that is left out for one that was never saved. DRAFTS_MAX_BYTES leaves
      // room for all.
      const listed = firstWithin<Draft | MessageRow>([...drafts, ...lasts], LIST_MAX_BYTES - markedBytes);
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
        const [left, starred, draft] = [hiddenIn(thread_id), starredIn(thread_id), draftIn(thread_id)];
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
            last && listed.has(last)
              ? toMessage(last, last.seq <= (last.recipient_user_id === userId ? own : friend).read_seq)
              : null,
          ...(left.size > 0 && { hidden: [...left] }),
          ...(starred.length > 0 && { starred: [...starred] }),
          ...(draft && listed.has(draft) && { draft }),
        };
      });
    },
  };
}

/** Returns the highest number up to `last` that is not hidden, or 0. */
function newestShown(last: number, left: ReadonlySet<number>): number {
  let seq = last;
  while (left.has(seq)) seq -= 1;
  return seq;
}

/** Returns the keys after the whole blocks of a thread, without the hidden messages. */
function keysBeyondBlocks({ thread_id, last_seq }: Searched, left: ReadonlySet<number>): string[] {
  const first = wholeBlocks(last_seq) * BLOCK_MESSAGES + 1;
  const numbers = Array.from({ length: Math.max(0, last_seq - first + 1) }, (_, index) => first + index);
  return numbers.filter((seq) => !left.has(seq)).map((seq) => messageKey(thread_id, seq));
}
