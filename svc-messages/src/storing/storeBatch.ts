import { CLOCK_TOLERANCE_MS } from "@messageoh/contracts/limits";
import type { FinalResult } from "@messageoh/contracts/messageStream";
import { atMost } from "@messageoh/service-kit/atMost";
import { Counter } from "@messageoh/service-kit/metrics";
import type { Position, Work } from "@messageoh/service-kit/position";
import { LRUCache } from "lru-cache";
import {
  clientIdKey,
  findByClientId,
  type Insert,
  type MessageRow,
  type Messages,
  messageKey,
  toMessage,
} from "../messages/message.model.ts";
import { isRefused } from "../messages/refusedMessage.ts";
import type { Threads } from "../threads/thread.model.ts";
import type { ResolvedMessage } from "./resolve.ts";

/** Cached tails, at most about 250 bytes each: 25 MB. */
const TAILS_MAX = 100_000;
/** Insert attempts per batch. Another process may take a number before each of them. */
const ATTEMPTS_MAX = 5;
export const NOT_FRIENDS = "You can only write to your friends";
/**
 * Refusal of a message whose client id belongs to a message of another thread. Possible only while the index of the
 * previous release exists.
 */
const CLIENT_ID_TAKEN = "This client_id belongs to another message";

const attempts = new Counter({
  name: "messageoh_messages_insert_attempts_total",
  help: "Insert commands; more than one per batch if it contains repeats or another instance wrote to a thread",
});

/** The last message of a thread. The next message gets the next number and a time that is not earlier. */
interface Tail {
  /** Undefined if the thread has no message. */
  id: string | undefined;
  seq: number;
  timestamp: number;
}

export type StoreBatch = ReturnType<typeof createStoreBatch>;

/**
 * Returns a function that stores a batch and resolves with the results of its messages, except those that the caller
 * must retry. The caller reports to `work` what it publishes. Rejects if the database fails; any part of the batch may
 * be stored then.
 *
 * Concurrent calls must not contain messages of the same thread. Other processes may write to the thread: the insert
 * under the key of thread and number assigns the number, so a taken key stops the ordered insert and the rest gets new
 * numbers.
 */
export function createStoreBatch(
  { messages, insert, threads, position }: { messages: Messages; insert: Insert; threads: Threads; position: Position },
  now = Date.now,
  tailsMax = TAILS_MAX,
) {
  const tails = new LRUCache<string, Tail>(atMost(tailsMax));

  /** Reads the tails that are not cached, in one query. */
  async function loadTails(batch: readonly ResolvedMessage[]): Promise<void> {
    // `get` marks the known tails as used, so that adding others does not drop them.
    const unknown = new Set(batch.map(({ thread_id }) => thread_id).filter((threadId) => !tails.get(threadId)));
    const newest = await threads.findNewest([...unknown]);
    for (const threadId of unknown) {
      const last = newest.get(threadId);
      tails.set(threadId, { id: last?.id, seq: last?.seq ?? 0, timestamp: last?.timestamp.getTime() ?? 0 });
    }
  }

  function numberRows(batch: readonly ResolvedMessage[], work: Work): MessageRow[] {
    const next = new Map<string, Tail>();
    return batch.map((message) => {
      const before = next.get(message.thread_id) ?? tails.get(message.thread_id);
      const seq = (before?.seq ?? 0) + 1;
      const timestamp = Math.max(before?.timestamp ?? 0, trustedTime(message.timestamp, now()));
      const id = work.nextId(clientIdKey(message));
      next.set(message.thread_id, { id, seq, timestamp });
      const row: MessageRow = {
        _id: messageKey(message.thread_id, seq),
        id,
        client_id: message.client_id,
        thread_id: message.thread_id,
        seq,
        sending_user_id: message.sending_user_id,
        recipient_user_id: message.recipient_user_id,
        text: message.text,
        timestamp: new Date(timestamp),
      };
      // The driver stores undefined as null.
      if (message.reply_to !== undefined) row.reply_to = message.reply_to;
      if (message.forwarded !== undefined) row.forwarded = message.forwarded;
      if (message.resolved) row.attachments = message.resolved;
      if (message.linkPreview) row.preview = message.linkPreview;
      return row;
    });
  }

  async function store(
    batch: readonly ResolvedMessage[],
    work: Work,
    results: Map<ResolvedMessage, FinalResult>,
  ): Promise<void> {
    // In the order of the shard key, so that a router asks each shard once. Messages of a thread stay in order.
    let rest: readonly ResolvedMessage[] = batch.toSorted((a, b) =>
      a.thread_id === b.thread_id ? 0 : a.thread_id < b.thread_id ? -1 : 1,
    );
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && rest.length > 0; attempt += 1) {
      await loadTails(rest);
      const rows = numberRows(rest, work);
      attempts.inc();
      const { count, isOtherThread } = await insert(rows);
      for (const [index, row] of rows.slice(0, count).entries()) {
        const previous_id = tails.get(row.thread_id)?.id;
        tails.set(row.thread_id, { id: row.id, seq: row.seq, timestamp: row.timestamp.getTime() });
        results.set(rest[index] as ResolvedMessage, { message: toMessage(row, false), previous_id });
      }
      rest = rest.slice(count);
      const [next] = rest;
      if (!next) return;
      if (isOtherThread) results.set(next, { error: CLIENT_ID_TAKEN });
      const repeats = await findByClientId(messages, rest);
      for (const message of rest) {
        const row = repeats.get(clientIdKey(message));
        if (row) results.set(message, isRefused(row) ? { error: NOT_FRIENDS } : asRepeat(row));
      }
      rest = rest.filter((message) => !results.has(message));
      forget(rest);
    }
  }

  function forget(batch: readonly ResolvedMessage[]): void {
    for (const { thread_id } of batch) tails.delete(thread_id);
  }

  return async (batch: readonly ResolvedMessage[]) => {
    const results = new Map<ResolvedMessage, FinalResult>();
    const work = position.begin();
    try {
      await store(batch, work, results);
    } catch (error) {
      work.failed();
      // Any part of the batch may be stored, so the cached tails may be wrong.
      forget(batch);
      throw error;
    }
    work.written(batch.filter((message) => !results.has(message)).map(clientIdKey));
    return { results, work };
  };
}

/** Returns the result of a message that was stored before. */
export const asRepeat = (row: MessageRow): FinalResult => ({ message: toMessage(row, false), is_repeat: true });

/** Returns the client's time in milliseconds if it is close to the server's time, otherwise the server's time. */
function trustedTime(timestamp: string | undefined, now: number): number {
  const claimed = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Math.abs(claimed - now) <= CLOCK_TOLERANCE_MS ? claimed : now;
}
