import { foldCase } from "@messageoh/contracts/foldCase";
import { clientGone } from "@messageoh/service-kit/errors";
import { escapeRegExp, isDuplicateKey, nativeCollection, UNLIMITED } from "@messageoh/service-kit/mongo";
import { createPauses, inParts, type Pause } from "@messageoh/service-kit/pauses";
import { RunningCalls } from "@messageoh/service-kit/runningCalls";
import type { Connection } from "mongoose";
import pLimit from "p-limit";
import { byThread } from "../messages/byThread.ts";
import { type MessageRow, type Messages, messageKey, newestFirst } from "../messages/message.model.ts";
import { createThreads } from "../threads/thread.model.ts";

/** Sequence numbers of one block. */
export const BLOCK_MESSAGES = 100;
const ID_CHARACTERS = 24;
/** Placeholder for the id of a missing message. */
const NO_ID = "0".repeat(ID_CHARACTERS);
/** Blocks that are built, or that one search reads, at the same time, at most 1.6 MB each. */
const BLOCK_CONCURRENCY = 4;
/** Blocks that one query searches. */
const PART_BLOCKS = 200;

/**
 * The texts of 100 consecutive messages of a thread in one document. Searching 1,000 blocks takes a fraction of
 * searching 100,000 documents. A missing number is never assigned later. A change of a text deletes
 * its block.
 */
interface BlockRow {
  /** See {@link blockKey}; block 0 holds the numbers 1 to 100. */
  _id: string;
  thread_id: string;
  number: number;
  /** Texts in lower case, each followed by NUL, which no text contains. A missing message has an empty text. */
  texts: string;
  /** Concatenated ids of the messages. */
  ids: string;
  /** Id of the newest message in the block. */
  last_id: string;
}

export type SearchBlocks = Awaited<ReturnType<typeof createSearchBlocks>>;

/** A thread to search, with its last sequence number. */
export interface Searched {
  thread_id: string;
  last_seq: number;
}

interface BlockSearch {
  text: string;
  /** Returns whether the search may find a message. */
  isShown: (message: Pick<MessageRow, "thread_id" | "seq">) => boolean;
  limit: number;
  /** Only messages older than the one with this id. */
  before_id: string | undefined;
}

/** Creates the collection of search blocks and its index. */
export async function createSearchBlocks(connection: Connection, messages: Messages) {
  const blocks = byThread(nativeCollection<BlockRow>(connection, "search_blocks"));
  // Finds the blocks of a thread.
  await blocks.createIndex({ thread_id: 1, number: 1 }, UNLIMITED as object);

  const { findLastChange } = createThreads(messages);
  const building = new RunningCalls<void>();
  /** Builds take turns, part by part, so that many at once load the database no more than one. */
  const inTurn = pLimit(1);

  async function build({ thread_id, last_seq }: Searched, number: number): Promise<void> {
    const seqs = Array.from({ length: BLOCK_MESSAGES }, (_, index) => number * BLOCK_MESSAGES + index + 1);
    const changeBefore = await findLastChange(thread_id);
    const rows = await messages
      .find({ _id: { $in: [...seqs, last_seq].map((seq) => messageKey(thread_id, seq)) } })
      .sort({ _id: -1 })
      .project<Pick<MessageRow, "id" | "seq" | "text" | "deleted_at">>({ id: 1, seq: 1, text: 1, deleted_at: 1 })
      .toArray();
    // The newest message is read first. A primary that was replaced and lacks it may lack messages of the block too, so
    // the next search retries.
    if (rows[0]?.seq !== last_seq) return;
    const rowOf = new Map(rows.map((row) => [row.seq, row]));
    const inBlock = seqs.map((seq) => rowOf.get(seq));
    const texts = inBlock.map((row) => `${row && !row.deleted_at ? row.text.toLowerCase() : ""}\0`).join("");
    const ids = inBlock.map((row) => row?.id ?? NO_ID).join("");
    const last_id = inBlock.findLast((row) => row !== undefined)?.id ?? NO_ID;
    await blocks
      .insertOne({ _id: blockKey(thread_id, number), thread_id, number, texts, ids, last_id })
      .catch((error) => {
        if (!isDuplicateKey(error)) throw error;
      });
    // A change before the insert found no block to delete.
    const seq = { $gt: number * BLOCK_MESSAGES, $lte: (number + 1) * BLOCK_MESSAGES };
    const later = await messages.findOne({ thread_id, change: { $gt: changeBefore }, seq }, { projection: { _id: 1 } });
    if (later) await blocks.deleteOne({ _id: blockKey(thread_id, number) });
  }

  /** Builds the missing whole blocks of a thread. */
  async function buildMissing(thread: Searched, pause: Pause): Promise<void> {
    const { thread_id, last_seq } = thread;
    const there = await blocks.find({ thread_id }).project<Pick<BlockRow, "number">>({ number: 1 }).toArray();
    const known = new Set(there.map(({ number }) => number));
    const missing = wholeNumbers(last_seq).filter((number) => !known.has(number));
    for (const numbers of inParts(missing, BLOCK_CONCURRENCY)) {
      await pause();
      await inTurn(() => Promise.all(numbers.map((number) => build(thread, number))));
    }
  }

  return {
    /**
     * Builds the missing whole blocks of these threads. Blocks are built by the first search of a thread instead of by
     * its writes, so that threads without searches need none.
     * @param isGone whether the client of the search has gone; no further thread is begun then
     */
    async complete(threads: readonly Searched[], isGone: () => boolean): Promise<void> {
      const long = threads.filter(isLong);
      if (long.length === 0) return;
      const counts = await blocks
        .aggregate<{ _id: string; count: number }>([
          { $match: { thread_id: { $in: long.map(({ thread_id }) => thread_id) } } },
          { $group: { _id: "$thread_id", count: { $sum: 1 } } },
        ])
        .toArray();
      const countOf = new Map(counts.map(({ _id, count }) => [_id, count]));
      const pause = createPauses();
      for (const thread of long) {
        if (isGone()) throw clientGone();
        if ((countOf.get(thread.thread_id) ?? 0) >= wholeBlocks(thread.last_seq)) continue;
        // Both members may search: one search builds, the other waits for it.
        await building.join(thread.thread_id, () => buildMissing(thread, pause));
      }
    },

    /** Deletes the block of a message whose text has changed. */
    async forgetBlockOf(threadId: string, seq: number): Promise<void> {
      const _id = blockKey(threadId, Math.floor((seq - 1) / BLOCK_MESSAGES));
      await blocks.deleteOne({ _id });
    },

    /** Deletes the blocks of a thread whose texts have changed. */
    async forget(threadId: string): Promise<void> {
      await blocks.deleteMany({ thread_id: threadId });
    },

    /**
     * Resolves with the keys of the newest messages in whole blocks that contain a text, case-insensitive, newest
     * first.
     */
    async find(
      threads: readonly Searched[],
      { text, isShown, limit, before_id }: BlockSearch,
      pause: Pause,
    ): Promise<string[]> {
      const wanted = foldCase(text);
      const pattern = new RegExp(escapeRegExp(wanted).replaceAll("σ", "[σς]"));
      const keys = threads.flatMap(({ thread_id, last_seq }) =>
        wholeNumbers(last_seq).map((number) => blockKey(thread_id, number)),
      );
      const found: Pick<BlockRow, "_id" | "last_id">[] = [];
      for (const part of inParts(keys, PART_BLOCKS)) {
        await pause();
        const matching = blocks.find({ _id: { $in: part }, texts: pattern });
        found.push(...(await matching.project<Pick<BlockRow, "_id" | "last_id">>({ last_id: 1 }).toArray()));
      }
      found.sort((a, b) => (a.last_id < b.last_id ? 1 : -1));
      let matches: { id: string; key: string }[] = [];
      for (const some of inParts(found, BLOCK_CONCURRENCY)) {
        // Later blocks contain only older messages.
        if ((matches[limit - 1]?.id ?? "") >= (some[0]?.last_id ?? "")) break;
        await pause();
        const rows = await blocks.find({ _id: { $in: some.map(({ _id }) => _id) } }).toArray();
        const inRows = rows.flatMap((row) => matchesIn(row, wanted, isShown));
        matches.push(...inRows.filter(({ id }) => before_id === undefined || id < before_id));
        matches = matches.sort(newestFirst).slice(0, limit);
      }
      return matches.map(({ key }) => key);
    },
  };
}

function matchesIn(
  { thread_id, number, texts, ids }: BlockRow,
  wanted: string,
  isShown: BlockSearch["isShown"],
): { id: string; key: string }[] {
  const folded = foldCase(texts).split("\0");
  return folded.flatMap((text, index) => {
    const seq = number * BLOCK_MESSAGES + index + 1;
    if (!text.includes(wanted) || !isShown({ thread_id, seq })) return [];
    const id = ids.slice(index * ID_CHARACTERS, (index + 1) * ID_CHARACTERS);
    return { id, key: messageKey(thread_id, seq) };
  });
}

const isLong = ({ last_seq }: Searched): boolean => last_seq >= BLOCK_MESSAGES;

/** Returns the key of a block. */
const blockKey = (threadId: string, number: number): string => `${threadId}:${number}`;

/** Returns the numbers of the whole blocks of a thread. */
const wholeNumbers = (last_seq: number): number[] =>
  Array.from({ length: wholeBlocks(last_seq) }, (_, number) => number);

/** Returns the number of whole blocks of a thread. */
export const wholeBlocks = (last_seq: number): number => Math.floor(last_seq / BLOCK_MESSAGES);
