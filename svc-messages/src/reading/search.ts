import { foldCase } from "@messageoh/contracts/foldCase";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FIRST_PAGE_MESSAGES } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import { createPauses, inParts, type Pause } from "@messageoh/service-kit/pauses";
import { messageKey, newestFirst, WITHOUT_EDITS } from "../messages/message.model.ts";
import type { HistoryDeps, Page } from "./history.ts";
import { BLOCK_MESSAGES, type SearchBlocks, type Searched, wholeBlocks } from "./searchBlock.model.ts";
import { createWithRead } from "./withRead.ts";

/** Messages that one query of a search reads, at most about 12 MB. */
const PART_MESSAGES = 1_000;

interface Query extends Page {
  text: string;
}
/** A thread to search: up to the last message that it had when the search was prepared. */
type SearchedThread = ThreadMembers & Searched;

export interface SearchDeps extends HistoryDeps {
  blocks: SearchBlocks;
}

export type Search = ReturnType<typeof createSearch>;

/** Creates the search in the messages of threads, without those that the user has hidden. */
export function createSearch({ messages, threads, markers, marks, blocks }: SearchDeps) {
  const withRead = createWithRead(markers);

  return {
    /**
     * Resolves with those threads that have messages, for `find`, after their missing search blocks are built. That can
     * take minutes, and other searches may wait for the same blocks, so it needs no place of a queue.
     * @param isGone whether the client has gone; no further thread is begun then
     */
    async prepare(of: readonly ThreadMembers[], isGone: () => boolean = () => false): Promise<SearchedThread[]> {
      const lastSeqs = await threads.findLastSeqs(of.map(({ thread_id }) => thread_id));
      const searched = of.flatMap((thread) => {
        const last_seq = lastSeqs.get(thread.thread_id);
        return last_seq === undefined ? [] : [{ ...thread, last_seq }];
      });
      await blocks.complete(searched, isGone);
      return searched;
    },

    /** Resolves with the messages that contain a text, case-insensitive, newest first. */
    async find(
      searched: readonly SearchedThread[],
      userId: string,
      { text, before_id, limit = FIRST_PAGE_MESSAGES }: Query,
      pause: Pause = createPauses(),
    ): Promise<Message[]> {
      const { hiddenIn, isShown } = await marks.find(searched, userId);
      const inBlocks = await blocks.find(searched, { text, isShown, limit, before_id }, pause);
      const beyond = searched.flatMap((thread) => keysBeyondBlocks(thread, hiddenIn(thread.thread_id)));
      const read = (keys: readonly string[], filter = {}) =>
        messages
          .find({ _id: { $in: keys }, ...filter }, WITHOUT_EDITS)
          .sort({ id: -1 })
          .limit(limit)
          .toArray();
      const hits = inBlocks.length === 0 ? [] : await read(inBlocks);
      // A message may have changed since its block was read.
      const wanted = foldCase(text);
      let rows = hits.filter((row) => !row.deleted_at && foldCase(row.text).includes(wanted));
      const matching = {
        text: new RegExp(escapeRegExp(text), "i"),
        deleted_at: { $exists: false },
        ...(before_id !== undefined && { id: { $lt: before_id } }),
      };
      for (const keys of inParts(beyond, PART_MESSAGES)) {
        await pause();
        rows = [...rows, ...(await read(keys, matching))].sort(newestFirst).slice(0, limit);
      }
      return withRead(rows, searched);
    },
  };
}

/** Returns the keys after the whole blocks of a thread, without the hidden messages. */
function keysBeyondBlocks({ thread_id, last_seq }: Searched, hidden: ReadonlySet<number>): string[] {
  const first = wholeBlocks(last_seq) * BLOCK_MESSAGES + 1;
  const numbers = Array.from({ length: Math.max(0, last_seq - first + 1) }, (_, index) => first + index);
  return numbers.filter((seq) => !hidden.has(seq)).map((seq) => messageKey(thread_id, seq));
}
