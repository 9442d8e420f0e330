import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { messageBytes, type NewMessage, type StoreResult, storeMessages } from "@messageoh/contracts/messages";
import { createBatcher, RETRY } from "@messageoh/service-kit/batcher";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { inSpan } from "@messageoh/service-kit/spans";
import type { MessagesService } from "./messagesService.ts";

/** Longer than two calls that time out; the browser keeps the message and sends it again. */
const WAIT_MS = 15_000;
/** Storing nothing for this long counts as degraded. */
const STUCK_AFTER_MS = 2_000;

const sends = new Counter({ name: "messageoh_realtime_sends_total", help: "Messages taken from clients" });
const persistSeconds = new Histogram({
  name: "messageoh_realtime_persist_seconds",
  help: "Duration of one call that stores a batch",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const failedBatches = new Counter({
  name: "messageoh_realtime_failed_batches_total",
  help: "Calls that stored nothing and are repeated",
});

/** A message that svc-messages answered for good. */
export type Answered = Exclude<StoreResult, { retry: true }>;
export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Forwards messages to the svc-messages instance that owns their thread. A message is sent again, with the same id, until
 * it is stored or refused, and only its own thread waits meanwhile.
 */
export function createForwarder(service: MessagesService, logger: Logger, onStuck: (isStuck: boolean) => void) {
  let failingSince: number | null = null;

  const batcher = createBatcher<NewMessage, Answered>({
    name: "send",
    keyOf: ({ thread_id }) => thread_id,
    ownerOf: ({ sending_user_id }) => sending_user_id,
    bytesOf: messageBytes,
    // Repeated messages travel apart, so that what delays them delays no others.
    laneOf: (threadId, attempts) => `${service.ownerOf(threadId)}#${attempts > 0 ? "repeated" : ""}`,
    run: (messages, lane) => {
      const attributes = { "messageoh.batch_size": messages.length };
      return inSpan("forward batch", { of: messages, attributes }, () => forward(messages, lane));
    },
    limits: { batchItems: BATCH_MAX_MESSAGES, batchBytes: 1_000_000, waitMs: WAIT_MS },
  });
  service.onChange(batcher.reroute);

  async function forward(messages: NewMessage[], lane: string): Promise<(Answered | typeof RETRY)[]> {
    const endTimer = persistSeconds.startTimer();
    try {
      const [url = ""] = lane.split("#");
      const { results } = await service.callAt(url, (call) => call(storeMessages, { body: { messages } }));
      endTimer();
      if (results.length !== messages.length) throw new Error("svc-messages answered another number of results");
      const outcomes = results.map((result) => ("retry" in result ? RETRY : result));
      noteSuccess(outcomes.some((outcome) => outcome !== RETRY));
      return outcomes;
    } catch (err) {
      logger.warn({ err, messages: messages.length }, "batch not stored, sending it again");
      noteSuccess(false);
      throw err;
    }
  }

  function noteSuccess(isSuccess: boolean): void {
    if (!isSuccess) {
      failedBatches.inc();
      failingSince ??= Date.now();
    }
    const wasStuck = failingSince !== null && Date.now() - failingSince > STUCK_AFTER_MS;
    if (isSuccess) failingSince = null;
    if (wasStuck) onStuck(!isSuccess);
  }

  return {
    /** Resolves when the message is stored or refused. Rejects with `BatcherBusy` if it cannot wait (any longer). */
    send(message: NewMessage): Promise<Answered> {
      sends.inc();
      return batcher.add(message);
    },
    /** Whether everything that was handed over has its result. */
    isIdle: batcher.isIdle,
  };
}
