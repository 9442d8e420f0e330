import type { MessageItem } from "@messageoh/contracts/bus";
import { messageBytes, type NewMessage } from "@messageoh/contracts/internal/messages";
import type { FinalResult } from "@messageoh/contracts/messageStream";
import type { Message } from "@messageoh/contracts/messages";
import { Busy } from "@messageoh/service-kit/busy";
import { Counter, Gauge } from "@messageoh/service-kit/metrics";
import { sleep } from "@messageoh/service-kit/pauses";
import type { MessagesService } from "./messagesService.ts";

/** Age at which a message is not sent again, in milliseconds. The browser then retries it. */
const RETRY_UNTIL_MS = 15_000;
/**
 * Time without a result, while messages that name nothing by reference wait, after which the service counts as stalled.
 */
const STALLED_AFTER_MS = 2_000;
const RETRY_FIRST_MS = 40;
const RETRY_MAX_MS = 2_000;
/** Most messages that wait: in all, and of one sender. */
const WAITING = { items: 10_000, bytes: 32_000_000 };
const SENDER_WAITING = { items: 500, bytes: 1_000_000 };

const sends = new Counter({ name: "messageoh_realtime_sends_total", help: "Messages accepted from clients" });
const retries = new Counter({
  name: "messageoh_realtime_store_retries_total",
  help: "Messages that were not stored and are sent again",
});
const waitingMessages = new Gauge({ name: "messageoh_realtime_waiting_messages", help: "Messages without a result" });

export type Forwarder = ReturnType<typeof createForwarder>;

interface Waiting {
  message: NewMessage;
  since: number;
  resolve: (result: FinalResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Forwards messages to svc-messages, one of each thread at a time, so that a message that is retried keeps its place
 * and delays only its own thread.
 * @param onStored called with each message that is stored, before its sender gets the result
 */
export function createForwarder(store: MessagesService["store"], onStored: (item: MessageItem) => void) {
  const queues = new Map<string, Waiting[]>();
  const all = { items: 0, bytes: 0 };
  const ofSender = new Map<string, typeof all>();
  let lastResultAt = 0;

  function count({ message }: Waiting, sign: 1 | -1): void {
    const own = ofSender.get(message.sending_user_id) ?? { items: 0, bytes: 0 };
    for (const counts of [all, own]) {
      counts.items += sign;
      counts.bytes += sign * messageBytes(message);
    }
    waitingMessages.set(all.items);
    if (own.items > 0) ofSender.set(message.sending_user_id, own);
    else ofSender.delete(message.sending_user_id);
  }

  async function sendAll(threadId: string, queue: Waiting[]): Promise<void> {
    try {
      for (let first = queue[0]; first; first = queue[0]) {
        const result = await send(first);
        queue.shift();
        count(first, -1);
        first.resolve(result);
      }
    } catch (error) {
      // Later messages must not overtake the first.
      for (const waiting of queue) {
        count(waiting, -1);
        waiting.reject(error);
      }
    }
    queues.delete(threadId);
  }

  async function send({ message, since }: Waiting): Promise<FinalResult> {
    for (let backoffMs = RETRY_FIRST_MS; performance.now() - since < RETRY_UNTIL_MS; ) {
      const result = await store(message);
      if (!("retry" in result)) {
        lastResultAt = performance.now();
        if ("message" in result) {
          const { origin, request_id } = message;
          onStored({ is_repeat: false, ...result, origin, request_id });
        }
        return result;
      }
      retries.inc();
      await sleep(backoffMs * (0.5 + Math.random() / 2));
      backoffMs = Math.min(2 * backoffMs, RETRY_MAX_MS);
    }
    throw new Busy("Waited too long");
  }

  return {
    /**
     * Resolves when the message is stored or refused.
     * @throws Busy if too many messages wait or the message waited too long
     */
    send(message: NewMessage): Promise<FinalResult> {
      sends.inc();
      const own = ofSender.get(message.sending_user_id);
      if (isFull(all, WAITING) || (own && isFull(own, SENDER_WAITING))) {
        return Promise.reject(new Busy("Too many waiting messages"));
      }
      return new Promise((resolve, reject) => {
        const waiting = { message, since: performance.now(), resolve, reject };
        count(waiting, 1);
        const queue = queues.get(message.thread_id) ?? [];
        if (queue.push(waiting) > 1) return;
        queues.set(message.thread_id, queue);
        void sendAll(message.thread_id, queue);
      });
    },

    /** Returns the id of the socket that waits here for the result of a message. */
    originOf: ({ thread_id, client_id }: Message): string | undefined =>
      queues.get(thread_id)?.find(({ message }) => message.client_id === client_id)?.message.origin,
    /** Returns whether every message has its result. */
    isIdle: () => queues.size === 0,
    /** Returns whether messages wait, and none had a result for {@link STALLED_AFTER_MS}. */
    isStalled(): boolean {
      const since = performance.now() - STALLED_AFTER_MS;
      const isLate = ([first]: Waiting[]) => first && first.since < since && !namesReference(first.message);
      return lastResultAt < since && [...queues.values()].some(isLate);
    },
  };
}

/** Returns whether a message names something by reference. It may wait for svc-media, which no other message does. */
const namesReference = ({ attachments = [], preview, forward_of }: NewMessage): boolean =>
  attachments.length > 0 || preview !== undefined || forward_of !== undefined;

const isFull = (counts: typeof WAITING, max: typeof WAITING): boolean =>
  counts.items >= max.items || counts.bytes >= max.bytes;
