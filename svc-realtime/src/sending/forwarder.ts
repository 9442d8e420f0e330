import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { messageBytes, type NewMessage, type StoreResult, storeMessages } from "@messageoh/contracts/messages";
import { createBatcher, RETRY } from "@messageoh/service-kit/batcher";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { inSpan } from "@messageoh/service-kit/spans";
import type * as z from "zod/mini";
import type { MessagesService } from "./messagesService.ts";

/** Longer than two calls that time out. The browser then retries the message. */
const WAIT_MS = 15_000;
/** Time without a stored message after which the service counts as degraded. */
const STALLED_AFTER_MS = 2_000;

const sends = new Counter({ name: "messageoh_realtime_sends_total", help: "Messages accepted from clients" });
const persistSeconds = new Histogram({
  name: "messageoh_realtime_persist_seconds",
  help: "Duration of the calls to svc-messages that stored a batch",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const failedBatches = new Counter({
  name: "messageoh_realtime_failed_batches_total",
  help: "Batches of which no message was stored; they are retried",
});

/** The final outcome of a message: stored or refused. */
export type FinalResult = Exclude<StoreResult, { retry: true }>;
export type Forwarder = ReturnType<typeof createForwarder>;

export interface ForwarderListeners {
  /** Called when no message was stored for {@link STALLED_AFTER_MS}, and when storing recovers. */
  onStalledChange: (isStalled: boolean) => void;
  /** Called with each response of svc-messages and the time of its request by the monotonic clock. */
  onResponse?: (response: z.output<(typeof storeMessages)["response"]>, requestedAt: number) => void;
}

/**
 * Forwards messages to the svc-messages instance that owns their thread, in batches. It retries a message with the same id
 * until the message is stored or refused. A retry delays only the thread of its message.
 */
export function createForwarder(
  service: MessagesService,
  logger: Logger,
  { onStalledChange, onResponse }: ForwarderListeners,
) {
  let failingSince: number | null = null;

  const batcher = createBatcher<NewMessage, FinalResult>({
    name: "send",
    keyOf: ({ thread_id }) => thread_id,
    ownerOf: ({ sending_user_id }) => sending_user_id,
    bytesOf: messageBytes,
    // Retries use batches of their own, so that a cause of delay does not affect other messages.
    laneOf: (threadId, attempts) => `${service.ownerOf(threadId)}#${attempts > 0 ? "retry" : ""}`,
    run: (messages, lane) => {
      const attributes = { "messageoh.batch_size": messages.length };
      return inSpan("forward batch", { of: messages, attributes }, () => forward(messages, lane));
    },
    limits: { batchItems: BATCH_MAX_MESSAGES, batchBytes: 1_000_000, waitMs: WAIT_MS },
  });
  service.onChange(batcher.reroute);

  async function forward(messages: NewMessage[], lane: string): Promise<(FinalResult | typeof RETRY)[]> {
    const endTimer = persistSeconds.startTimer();
    const [url = ""] = lane.split("#");
    const requestedAt = performance.now();
    try {
      const response = await service.callAt(url, (call) => call(storeMessages, { body: { messages } }));
      endTimer();
      onResponse?.(response, requestedAt);
      const { results } = response;
      if (results.length !== messages.length) throw new Error("Number of results differs from number of messages");
      const outcomes = results.map((result) => ("retry" in result ? RETRY : result));
      recordOutcome(outcomes.some((outcome) => outcome !== RETRY));
      return outcomes;
    } catch (err) {
      logger.warn({ err, messages: messages.length, url }, "batch store failed");
      recordOutcome(false);
      throw err;
    }
  }

  function recordOutcome(isSuccess: boolean): void {
    if (!isSuccess) {
      failedBatches.inc();
      failingSince ??= performance.now();
    }
    const wasStalled = failingSince !== null && performance.now() - failingSince > STALLED_AFTER_MS;
    if (isSuccess) failingSince = null;
    if (wasStalled) onStalledChange(!isSuccess);
  }

  return {
    /**
     * Resolves when the message is stored or refused.
     * @throws BatcherBusy if the queue is full or the message waited too long
     */
    send(message: NewMessage): Promise<FinalResult> {
      sends.inc();
      return batcher.add(message);
    },
    /** Returns whether every message has its result. */
    isIdle: batcher.isIdle,
  };
}
