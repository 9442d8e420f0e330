import { escapeRegExp, isDuplicateKey, nativeCollection, QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { type MessageRow, type Messages, messageKey } from "../messages/message.model.ts";

/** Sequence numbers of one block. */
export const BLOCK_MESSAGES = 100;
const ID_CHARACTERS = 24;
/** Placeholder for the id of a missing message. */
const NO_ID = "0".repeat(ID_CHARACTERS);
/** Blocks that one search builds or reads at the same time, at most 1.6 MB each. */
const BLOCK_CONCURRENCY = 4;

/**
 * The texts of 100 consecutive messages of a thread in one document. Searching 1,000 blocks takes a fraction of
 * searching 100,000 documents. A whole block changes only when a sender deletes the account: otherwise messages are
 * immutable, and a missing number is never assigned later.
 */
interface BlockRow {
  /** `thread_id:number`; block 0 holds the numbers 1 to 100. */
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

/** Creates the collection of search blocks and its index. */
export async function createSearchBlocks(connection: Connection, messages: Messages) {
  const blocks = nativeCollection<BlockRow>(connection, "search_blocks");
  // Finds the blocks of a thread.
  await blocks.createIndex({ thread_id: 1, number: 1 });

  const building = new Map<string, Promise<void>>();

  async function build({ thread_id, last_seq }: Searched, number: number): Promise<void> {
    const seqs = Array.from({ length: BLOCK_MESSAGES }, (_, index) => number * BLOCK_MESSAGES + index + 1);
    const rows = await messages
      .find({ _id: { $in: [...seqs, last_seq].map((seq) => messageKey(thread_id, seq)) } })
      .sort({ _id: -1 })
      .project<Pick<MessageRow, "id" | "seq" | "text">>({ id: 1, seq: 1, text: 1 })
      .toArray();
    // The newest message is read first. If a new primary lags and lacks it, it may lack messages of the block too, so
    // the next search retries.
    if (rows[0]?.seq !== last_seq) return;
    const rowOf = new Map(rows.map((row) => [row.seq, row]));
    const inBlock = seqs.map((seq) => rowOf.get(seq));
    const texts = inBlock.map((row) => `${row?.text.toLowerCase() ?? ""}\0`).join("");
    const ids = inBlock.map((row) => row?.id ?? NO_ID).join("");
    const last_id = inBlock.findLast((row) => row !== undefined)?.id ?? NO_ID;
    await blocks.insertOne({ _id: `${thread_id}:${number}`, thread_id, number, texts, ids, last_id }).catch((error) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  /** Builds the missing whole blocks of a thread. */
  async function buildMissing(thread: Searched): Promise<void> {
    const { thread_id, last_seq } = thread;
    const there = await blocks.find({ thread_id }).project<Pick<BlockRow, "number">>({ number: 1 }).toArray();
    const known = new Set(there.map(({ number }) => number));
    const whole = Array.from({ length: wholeBlocks(last_seq) }, (_, number) => number);
    const missing = whole.filter((number) => !known.has(number));
    for (let start = 0; start < missing.length; start += BLOCK_CONCURRENCY) {
      await Promise.all(missing.slice(start, start + BLOCK_CONCURRENCY).map((number) => build(thread, number)));
    }
  }

  return {
    /**
     * Builds the missing whole blocks of these threads. Blocks are built by the first search of a thread instead of by
     * its writes, so that threads without searches need none.
     */
    async complete(threads: readonly Searched[]): Promise<void> {
      const long = threads.filter(isLong);
      if (long.length === 0) return;
      const counts = await blocks
        .aggregate<{ _id: string; count: number }>([
          { $match: { thread_id: { $in: long.map(({ thread_id }) => thread_id) } } },
          { $group: { _id: "$thread_id", count: { $sum: 1 } } },
        ])
        .toArray();
      const countOf = new Map(counts.map(({ _id, count }) => [_id, count]));
      for (const thread of long) {
        if ((countOf.get(thread.thread_id) ?? 0) >= wholeBlocks(thread.last_seq)) continue;
        // A user who types starts several searches: the first one builds, the others wait for it.
        const running = building.get(thread.thread_id) ?? buildMissing(thread);
        building.set(thread.thread_id, running);
        await running.finally(() => building.delete(thread.thread_id));
      }
    },

    /** Deletes the blocks of a thread whose texts have changed. */
    async forget(threadId: string): Promise<void> {
      await blocks.deleteMany({ thread_id: threadId }, { maxTimeMS: QUERY_MAX_MS });
    },

    /**
     * Resolves with the keys of the newest messages in whole blocks that contain a text, case-insensitive, newest
     * first.
     * @param beforeId only messages older than the one with this id
     */
    async find(threads: readonly Searched[], text: string, limit: number, beforeId?: string): Promise<string[]> {
      const long = threads.filter(isLong).map(({ thread_id }) => thread_id);
      if (long.length === 0) return [];
      const wanted = text.toLowerCase();
      const found = await blocks
        .aggregate<Pick<BlockRow, "_id" | "last_id">>([
          { $match: { thread_id: { $in: long }, texts: new RegExp(escapeRegExp(wanted)) } },
          { $project: { last_id: 1 } },
          { $sort: { last_id: -1 } },
        ])
        .toArray();
      let matches: { id: string; key: string }[] = [];
      for (let start = 0; start < found.length; start += BLOCK_CONCURRENCY) {
        const some = found.slice(start, start + BLOCK_CONCURRENCY);
        // All messages of further blocks are older than the newest message of the next block.
        if ((matches[limit - 1]?.id ?? "") >= (some[0]?.last_id ?? "")) break;
        const rows = await blocks.find({ _id: { $in: some.map(({ _id }) => _id) } }).toArray();
        const inRows = rows.flatMap((row) => matchesIn(row, wanted));
        matches.push(...inRows.filter(({ id }) => beforeId === undefined || id < beforeId));
        matches = matches.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
      }
      return matches.map(({ key }) => key);
    },
  };
}

function matchesIn({ thread_id, number, texts, ids }: BlockRow, wanted: string): { id: string; key: string }[] {
  return texts.split("\0").flatMap((text, index) => {
    if (!text.includes(wanted)) return [];
    const id = ids.slice(index * ID_CHARACTERS, (index + 1) * ID_CHARACTERS);
    return { id, key: messageKey(thread_id, number * BLOCK_MESSAGES + index + 1) };
  });
}

const isLong = ({ last_seq }: Searched): boolean => last_seq >= BLOCK_MESSAGES;

/** Returns the number of whole blocks of a thread. */
export const wholeBlocks = (last_seq: number): number => Math.floor(last_seq / BLOCK_MESSAGES);
