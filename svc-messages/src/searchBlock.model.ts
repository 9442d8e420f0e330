import { escapeRegExp, isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import type { MessageRow, Messages } from "./message.model.ts";

/** Messages of one block. */
export const BLOCK_MESSAGES = 100;
const ID_CHARACTERS = 24;
const BUILD_TOGETHER = 20;

/**
 * The texts of 100 messages of a thread, in one document. Messages never change and numbers have no gaps, so a block that
 * is whole stays as it is for ever; and looking through 1,000 blocks takes a fraction of looking through 100,000 documents.
 */
interface BlockRow {
  /** `thread_id:number`; block 0 holds the messages 1 to 100. */
  _id: string;
  thread_id: string;
  number: number;
  /** Texts in lower case, each followed by a NUL, which no text contains. */
  texts: string;
  /** Ids of the messages, one behind the other. */
  ids: string;
  /** Id of its newest message. */
  last_id: string;
}

export type SearchBlocks = Awaited<ReturnType<typeof createSearchBlocks>>;

/** A thread to search, up to its newest message. */
export interface Searched {
  thread_id: string;
  last_seq: number;
}

export async function createSearchBlocks(connection: Connection, messages: Messages) {
  const blocks = nativeCollection<BlockRow>(connection, "search_blocks");
  // The blocks of a thread: which there are, and which of them contain a text.
  await blocks.createIndex({ thread_id: 1, number: 1 });

  const building = new Map<string, Promise<void>>();

  async function build(thread_id: string, number: number): Promise<void> {
    const first = number * BLOCK_MESSAGES + 1;
    const rows = await messages
      .find({ thread_id, seq: { $gte: first, $lt: first + BLOCK_MESSAGES } })
      .sort({ seq: 1 })
      .project<Pick<MessageRow, "_id" | "text">>({ text: 1 })
      .toArray();
    // A database whose reads may lag has not all of it yet: the next search looks again.
    if (rows.length < BLOCK_MESSAGES) return;
    const texts = rows.map(({ text }) => `${text.toLowerCase()}\0`).join("");
    const ids = rows.map(({ _id }) => _id).join("");
    await blocks
      .insertOne({ _id: `${thread_id}:${number}`, thread_id, number, texts, ids, last_id: ids.slice(-ID_CHARACTERS) })
      .catch((error) => {
        if (!isDuplicateKey(error)) throw error;
      });
  }

  /** Makes all whole blocks of a thread that are not there yet. */
  async function buildMissing({ thread_id, last_seq }: Searched): Promise<void> {
    const there = await blocks.find({ thread_id }).project<Pick<BlockRow, "number">>({ number: 1 }).toArray();
    const known = new Set(there.map(({ number }) => number));
    const whole = Array.from({ length: wholeBlocks(last_seq) }, (_, number) => number);
    const missing = whole.filter((number) => !known.has(number));
    for (let start = 0; start < missing.length; start += BUILD_TOGETHER) {
      await Promise.all(missing.slice(start, start + BUILD_TOGETHER).map((number) => build(thread_id, number)));
    }
  }

  return {
    /**
     * Makes the blocks of these threads that are whole and not there yet. Nobody pays for them who never searches: the
     * first search in a long thread makes them, later ones find them.
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
        // Somebody who types searches again and again: one of these builds, the others wait for it.
        const running = building.get(thread.thread_id) ?? buildMissing(thread);
        building.set(thread.thread_id, running);
        await running.finally(() => building.delete(thread.thread_id));
      }
    },

    /** Ids of the newest messages in whole blocks whose text contains `text`, without regard to case; the newest first. */
    async find(threads: readonly Searched[], text: string, limit: number): Promise<string[]> {
      const long = threads.filter(isLong).map(({ thread_id }) => thread_id);
      if (long.length === 0) return [];
      const wanted = text.toLowerCase();
      for (let count = limit; ; count *= 4) {
        const rows = await blocks
          .find({ thread_id: { $in: long }, texts: new RegExp(escapeRegExp(wanted)) })
          .sort({ last_id: -1 })
          .limit(count)
          .toArray();
        const ids = rows
          .flatMap((row) => matchesIn(row, wanted))
          .sort()
          .reverse();
        // What lies in further blocks is older than the newest message of the last one here.
        const isAll = rows.length < count || (ids[limit - 1] ?? "") >= (rows.at(-1)?.last_id ?? "");
        if (isAll) return ids.slice(0, limit);
      }
    },
  };
}

function matchesIn({ texts, ids }: BlockRow, wanted: string): string[] {
  const each = texts.split("\0");
  return each.flatMap((text, index) =>
    text.includes(wanted) ? ids.slice(index * ID_CHARACTERS, (index + 1) * ID_CHARACTERS) : [],
  );
}

const isLong = ({ last_seq }: Searched): boolean => last_seq >= BLOCK_MESSAGES;

/** How many blocks of a thread are whole. */
export const wholeBlocks = (last_seq: number): number => Math.floor(last_seq / BLOCK_MESSAGES);
