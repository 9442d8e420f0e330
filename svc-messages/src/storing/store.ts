import type { MessageItem } from "@messageoh/contracts/bus";
import { ACCOUNT_DELETED } from "@messageoh/contracts/errorTexts";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { messageBytes, type NewMessage, type StoreResult } from "@messageoh/contracts/messages";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createBatcher, GIVE_UP } from "@messageoh/service-kit/batcher";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { currentTraceparent, inSpan } from "@messageoh/service-kit/spans";
import { LRUCache } from "lru-cache";
import type { Events } from "../messages/events.ts";
import { toMessage } from "../messages/message.model.ts";
import type { Refuse } from "../messages/refusedMessage.ts";
import type { Members } from "../threads/members.ts";
import { REFUSED, type StoreBatch, type Stored } from "./storeBatch.ts";

const NOT_FRIENDS = "You can only write to your friends";
const RETRY: StoreResult = { retry: true };

/** Longest wait of a message in milliseconds: the caller times out then. */
const WAIT_MS = 5_000;
/** Messages to remember until their retry because svc-users said, too late for them, that their thread does not exist. */
const WITHOUT_THREAD_MAX = 10_000;
const WITHOUT_THREAD_KEEP_MS = 60_000;

const writeSeconds = new Histogram({
  name: "messageoh_messages_write_seconds",
  help: "Duration of storing one batch, including the assignment of its numbers",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const failedWrites = new Counter({
  name: "messageoh_messages_failed_writes_total",
  help: "Batches that failed; their messages are retried",
});
const storedMessages = new Counter({ name: "messageoh_messages_stored_total", help: "New messages stored" });
const repeats = new Counter({
  name: "messageoh_messages_repeats_total",
  help: "Repeated messages that were already stored",
});

export type Store = ReturnType<typeof createStore>;

/**
 * Returns a function that stores messages between friends, publishes them and resolves with one result per message.
 * Threads do not wait for each other: if the members of a thread are not known in time, its messages get the result
 * `retry`.
 */
export function createStore(members: Members, storeBatch: StoreBatch, refuse: Refuse, events: Events, logger: Logger) {
  const batcher = createBatcher<NewMessage, StoreResult>({
    name: "store",
    keyOf: ({ thread_id }) => thread_id,
    ownerOf: ({ sending_user_id }) => sending_user_id,
    bytesOf: messageBytes,
    run: (batch) => {
      const attributes = { "messageoh.batch_size": batch.length };
      return inSpan("store batch", { of: batch, attributes }, () => write(batch));
    },
    limits: { batchItems: BATCH_MAX_MESSAGES, batchBytes: 2_000_000, waitMs: WAIT_MS },
  });

  const withoutThread = new LRUCache<string, true>({ max: WITHOUT_THREAD_MAX, ttl: WITHOUT_THREAD_KEEP_MS });

  /**
   * Stores a batch. A message that is not stored is given up with those behind it, and the caller retries them in
   * order.
   */
  async function write(batch: NewMessage[]): Promise<(StoreResult | typeof GIVE_UP)[]> {
    const endTimer = writeSeconds.startTimer();
    try {
      // The friendship may have ended while the message waited. The caller's retry looks it up again.
      const known = batch.filter(({ thread_id }) => members.isKnown(thread_id));
      const outcomes = await storeBatch(known);
      endTimer();
      const items: MessageItem[] = [];
      const resultOf = new Map<NewMessage, StoreResult>();
      for (const [index, message] of known.entries()) {
        const outcome = outcomes[index];
        if (outcome === REFUSED) resultOf.set(message, { error: NOT_FRIENDS });
        else if (outcome) {
          const item = toItem(outcome, message);
          items.push(item);
          resultOf.set(message, { message: item.message });
        }
      }
      report(items);
      return batch.map((message) => resultOf.get(message) ?? GIVE_UP);
    } catch (err) {
      failedWrites.inc();
      logger.warn({ err, messages: batch.length }, "batch insert failed");
      return batch.map(() => GIVE_UP);
    }
  }

  function report(items: MessageItem[]): void {
    const repeated = items.filter((item) => item.is_repeat).length;
    storedMessages.inc(items.length - repeated);
    repeats.inc(repeated);
    events.messagesStored(items);
  }

  async function storeOne(message: NewMessage, thread: ThreadMembers | null | undefined): Promise<StoreResult> {
    if (thread === undefined) return retryOrRefuse(message);
    if (!thread) return refuseWith(NOT_FRIENDS, message);
    if (!isBetween(thread, message)) return { error: NOT_FRIENDS };
    if (thread.is_closed) return refuseWith(ACCOUNT_DELETED, message);
    return batcher.add(message).catch(() => RETRY);
  }

  /**
   * Asks to retry a message whose lookup takes longer than a batch waits. A thread that is found is cached for the retry;
   * if none is found, the retry is refused. Only the messages that the lookup was for, because the friendship may begin
   * again.
   */
  function retryOrRefuse(message: NewMessage): StoreResult | Promise<StoreResult> {
    const key = `${message.sending_user_id} ${message.client_id}`;
    if (withoutThread.has(key)) return refuseWith(NOT_FRIENDS, message);
    members.find(message.thread_id).then(
      (thread) => {
        if (!thread) withoutThread.set(key, true);
      },
      () => undefined,
    );
    return RETRY;
  }

  /**
   * Refuses a message between users who are not friends. A message that was stored before the friendship ended, and whose
   * ack was lost, gets its ack now: the sender must not see it as not sent.
   */
  async function refuseWith(error: string, message: NewMessage): Promise<StoreResult> {
    try {
      const row = await refuse(message);
      return row ? { message: toMessage(row, false) } : { error };
    } catch {
      return RETRY;
    }
  }

  return async (messages: readonly NewMessage[]): Promise<StoreResult[]> => {
    const results = new Map<NewMessage, StoreResult>();
    // The messages of one thread are added without a pause in between, so that they keep their order.
    const storeThread = async ([threadId, own]: [string, NewMessage[]]) => {
      const thread = await members.findSoon(threadId);
      await Promise.all(own.map(async (message) => results.set(message, await storeOne(message, thread))));
    };
    await Promise.all([...Map.groupBy(messages, ({ thread_id }) => thread_id)].map(storeThread));
    return messages.map((message) => results.get(message) ?? RETRY);
  };
}

const toItem = (
  { row, isRepeat, previousId }: Stored,
  { origin, request_id, traceparent }: NewMessage,
): MessageItem => ({
  message: toMessage(row, false),
  is_repeat: isRepeat,
  previous_id: previousId,
  origin,
  request_id,
  traced: traceparent === undefined ? undefined : [{ traceparent }, { traceparent: currentTraceparent() }],
});

/** Returns whether the sender and the recipient are the two members of the thread. */
function isBetween({ user_ids }: ThreadMembers, { sending_user_id, recipient_user_id }: NewMessage): boolean {
  return (
    sending_user_id !== recipient_user_id &&
    [sending_user_id, recipient_user_id].every((userId) => user_ids.includes(userId))
  );
}
