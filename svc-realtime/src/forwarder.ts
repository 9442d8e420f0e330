import { setTimeout as pause } from "node:timers/promises";
import type { Call } from "@messageoh/contracts/client";
import { BUSY } from "@messageoh/contracts/errorTexts";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { type NewMessage, type StoreResult, storeMessages } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Gauge, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { Refusal } from "./onEvent.ts";

const QUEUE_MAX_MESSAGES = 5_000;
/** Under load, half as long as a call took and at most this long passes before the next. */
const REST_MAX_MS = 4;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 1_000;
/** Failing for this long counts as degraded. */
const STUCK_AFTER_MS = 2_000;

const sends = new Counter({ name: "messageoh_realtime_sends_total", help: "Messages taken from clients" });
const queueDepth = new Gauge({ name: "messageoh_realtime_send_queue_depth", help: "Messages waiting to be stored" });
const batchSize = new Histogram({
  name: "messageoh_realtime_batch_size",
  help: "Messages handed to svc-messages in one call",
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
const persistSeconds = new Histogram({
  name: "messageoh_realtime_persist_seconds",
  help: "Duration of one such call, from the request to the answer that all of it is stored",
  buckets: LATENCY_BUCKETS_SECONDS,
});

const failedBatches = new Counter({
  name: "messageoh_realtime_failed_batches_total",
  help: "Calls to svc-messages that failed and are made again",
});

interface Waiting {
  message: NewMessage;
  resolve: (result: StoreResult) => void;
}

export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Brings messages to svc-messages, one call at a time: what arrives during a call, and in a short rest after it, goes as
 * one batch in the next. So the cost of a message falls as load rises, an idle system adds no wait, and order is kept. A
 * failed batch is sent again with the same ids until it is known to be stored: its senders wait, the queue is bounded.
 */
export function createForwarder(callMessages: Call, logger: Logger, onStuck: (isStuck: boolean) => void) {
  let queue: Waiting[] = [];
  let isSending = false;
  let failingSince: number | null = null;
  let retryDelay = RETRY_FIRST_MS;

  async function drain(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX_MESSAGES);
      batchSize.observe(batch.length);
      const endTimer = persistSeconds.startTimer();
      try {
        const { results } = await callMessages(storeMessages, {
          body: { messages: batch.map(({ message }) => message) },
        });
        const took = endTimer() * 1_000;
        if (results.length !== batch.length) throw new Error("svc-messages answered another number of results");
        succeeded();
        queue = queue.slice(batch.length);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as StoreResult);
        if (queue.length > 0) await pause(Math.min(took / 2, REST_MAX_MS));
      } catch (err) {
        await failed(err, batch.length);
      }
      queueDepth.set(queue.length);
    }
    isSending = false;
  }

  function succeeded(): void {
    if (failingSince !== null && Date.now() - failingSince > STUCK_AFTER_MS) onStuck(false);
    failingSince = null;
    retryDelay = RETRY_FIRST_MS;
  }

  async function failed(err: unknown, messages: number): Promise<void> {
    failedBatches.inc();
    failingSince ??= Date.now();
    if (Date.now() - failingSince > STUCK_AFTER_MS) onStuck(true);
    logger.warn({ err, messages, retry_in_ms: retryDelay }, "batch not stored, trying again");
    await pause(retryDelay);
    retryDelay = Math.min(retryDelay * 2, RETRY_MAX_MS);
  }

  return {
    /** Resolves when the message is stored or refused for good. A full queue refuses it for now. */
    send(message: NewMessage): Promise<StoreResult> {
      if (queue.length >= QUEUE_MAX_MESSAGES) throw new Refusal(BUSY, true);
      return new Promise((resolve) => {
        sends.inc();
        queue.push({ message, resolve });
        queueDepth.set(queue.length);
        drain();
      });
    },
    /** Whether everything handed over has been answered. */
    isIdle: () => queue.length === 0,
  };
}
