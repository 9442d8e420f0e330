import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FIRST_PAGE_MESSAGES } from "@messageoh/contracts/limits";
import { type Message, type MessageVersion, startingMessage } from "@messageoh/contracts/messages";
import { notFound } from "@messageoh/service-kit/errors";
import { Counter } from "@messageoh/service-kit/metrics";
import { createPauses, type Pause } from "@messageoh/service-kit/pauses";
import type { Marks } from "../changes/marks.model.ts";
import type { Markers } from "../markers/marker.model.ts";
import { keysBetween, type MessageRow, type Messages, messageKey, WITHOUT_EDITS } from "../messages/message.model.ts";
import type { Threads } from "../threads/thread.model.ts";
import { firstSince } from "./firstSince.ts";
import { findNewest, LIST_MAX_BYTES, pickNewest } from "./pickNewest.ts";
import { createWithRead } from "./withRead.ts";

const pageGaps = new Counter({
  name: "messageoh_messages_page_gaps_total",
  help: "Pages of a thread with a missing sequence number",
});

/** Position of a page in its thread: directly before or after a sequence number, from a time on, or at the end. */
type Place = { before?: number; after?: number; from?: Date };

/** Position of a page of messages of several threads. */
export interface Page {
  /** Only messages older than the one with this id. */
  before_id?: string | undefined;
  limit?: number | undefined;
}

export interface HistoryDeps {
  messages: Messages;
  threads: Threads;
  markers: Markers;
  marks: Marks;
}
type MarksOf = Awaited<ReturnType<Marks["find"]>>;

export type History = ReturnType<typeof createHistory>;

export const pinnedFilter = (thread_id: string) => ({ thread_id, "pinned.at": { $exists: true } });

/**
 * Creates the queries for users, whose results leave out the messages that the user has hidden. A page is a range of
 * sequence numbers, some of which may be missing: hidden ones, and some after a failover.
 */
export function createHistory({ messages, threads, markers, marks }: HistoryDeps) {
  const withRead = createWithRead(markers);

  /**
   * Resolves with the first and the last sequence number of a page.
   * @param hidden numbers of hidden messages: the newest page ends at the newest shown one, and one from a time on
   * begins at the first shown one
   */
  async function numbersOf(
    threadId: string,
    { before, after, from }: Place,
    hidden: ReadonlySet<number>,
    limit: number,
  ): Promise<[number, number]> {
    if (after !== undefined) return [after + 1, after + limit];
    const last = before === undefined ? await threads.findLastSeq(threadId) : 0;
    if (from) {
      const first = await firstSince(messages, { threadId, last, hidden }, from);
      return [first, first + limit - 1];
    }
    const end = before ?? newestShown(last, hidden) + 1;
    return [Math.max(1, end - limit), end - 1];
  }

  /** Resolves with the newest message of each thread that is not hidden, or with nothing of a thread without one. */
  async function newestShownOf(rows: readonly MessageRow[], { hiddenIn, isShown }: MarksOf): Promise<MessageRow[]> {
    const keys = rows
      .filter((row) => !isShown(row))
      .map(({ thread_id, seq }) => messageKey(thread_id, newestShown(seq, hiddenIn(thread_id))));
    const others = keys.length === 0 ? [] : await messages.find({ _id: { $in: keys } }, WITHOUT_EDITS).toArray();
    return [...rows.filter(isShown), ...others];
  }

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
      const [newest, marksOf] = await Promise.all([findNewest(threads, of, pause), marks.find(of, userId)]);
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
  };
}

/** Returns the highest number up to `last` that is not hidden, or 0. */
function newestShown(last: number, hidden: ReadonlySet<number>): number {
  let seq = last;
  while (hidden.has(seq)) seq -= 1;
  return seq;
}
