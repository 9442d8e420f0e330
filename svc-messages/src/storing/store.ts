import type { MessageItem } from "@messageoh/contracts/bus";
import { ACCOUNT_DELETED } from "@messageoh/contracts/errorTexts";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { FinalResult, StreamStoreResult } from "@messageoh/contracts/messageStream";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { currentTraceparent, inSpan } from "@messageoh/service-kit/spans";
import type { Events } from "../messages/events.ts";
import type { Refuse } from "../messages/refusedMessage.ts";
import type { Members } from "../threads/members.ts";
import type { Threads } from "../threads/thread.model.ts";
import { createInsertQueue } from "./insertQueue.ts";
import type { Resolve, ResolvedMessage } from "./resolve.ts";
import { asRepeat, NOT_FRIENDS, type StoreBatch } from "./storeBatch.ts";

const NO_SUCH_MESSAGE = "The message that you reply to does not exist";

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

export interface StoreDeps {
  members: Members;
  resolve: Resolve;
  findLastSeq: Threads["findLastSeq"];
  storeBatch: StoreBatch;
  refuse: Refuse;
  events: Events;
  logger: Logger;
}

/** Stores a message between friends and publishes it. Never rejects. Keeps the order of a thread. */
export type Store = (message: NewMessage) => Promise<StreamStoreResult>;

export function createStore({ members, resolve, findLastSeq, storeBatch, refuse, events, logger }: StoreDeps): Store {
  const insert = createInsertQueue((batch) => {
    const attributes = { "messageoh.batch_size": batch.length };
    return inSpan("store batch", { of: batch, attributes }, () => write(batch));
  });

  async function write(batch: ResolvedMessage[]): Promise<(FinalResult | undefined)[]> {
    const endTimer = writeSeconds.startTimer();
    try {
      // The friendship may have ended while the message waited. A retry looks it up again.
      const { results, work } = await storeBatch(batch.filter(({ thread_id }) => members.isKnown(thread_id)));
      endTimer();
      const items = [...results].flatMap(([message, result]) => ("error" in result ? [] : [toItem(message, result)]));
      for (const { is_repeat } of items) (is_repeat ? repeats : storedMessages).inc();
      void events.messagesStored(items).then(work.published);
      return batch.map((message) => results.get(message));
    } catch (err) {
      failedWrites.inc();
      logger.warn({ err, messages: batch.length }, "batch insert failed");
      return [];
    }
  }

  /**
   * Resolves with the refusal of a message between users who are not friends; or with its ack if it was stored before
   * the friendship ended and the ack was lost, so that the sender does not see it as not sent.
   */
  async function refuseWith(error: string, message: NewMessage): Promise<StreamStoreResult> {
    const row = await refuse(message);
    return row ? asRepeat(row) : { error };
  }

  return async (message) => {
    try {
      const thread = await members.find(message.thread_id, message.sending_user_id);
      if (!thread) return await refuseWith(NOT_FRIENDS, message);
      const { user_ids } = thread;
      const { sending_user_id: from, recipient_user_id: to } = message;
      if (from === to || !user_ids.includes(from) || !user_ids.includes(to)) return { error: NOT_FRIENDS };
      if (thread.is_closed) return await refuseWith(ACCOUNT_DELETED, message);
      if (message.reply_to !== undefined && message.reply_to > (await findLastSeq(message.thread_id))) {
        return { error: NO_SUCH_MESSAGE };
      }
      const resolved = await resolve(message);
      return await ("refusal" in resolved ? refuseWith(resolved.refusal, message) : insert(resolved));
    } catch {
      return { retry: true };
    }
  };
}

const toItem = (
  { origin, instance, request_id, traceparent }: ResolvedMessage,
  stored: Exclude<FinalResult, { error: string }>,
): MessageItem => ({
  is_repeat: false,
  ...stored,
  origin,
  instance,
  request_id,
  traced: traceparent === undefined ? undefined : [{ traceparent }, { traceparent: currentTraceparent() }],
});
