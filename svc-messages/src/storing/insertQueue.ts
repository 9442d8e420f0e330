import { setTimeout as pause } from "node:timers/promises";
import { messageBytes } from "@messageoh/contracts/internal/messages";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { FinalResult, StreamStoreResult } from "@messageoh/contracts/messageStream";
import { Gauge, Histogram } from "@messageoh/service-kit/metrics";
import type { ResolvedMessage } from "./resolve.ts";

/** Inserts at the same time. */
const RUNNING_MAX = 4;
/** Longest wait for an insert, in milliseconds. Its messages are retried, and it may still succeed. */
const INSERT_MAX_MS = 3_000;
/** Time between the starts of two inserts while one runs: another one then costs more than a fuller one later. */
const OVERLAP_INTERVAL_MS = 30;
const BATCH_BYTES = 1_000_000;
/** Most messages that wait. */
const WAITING_ITEMS = 10_000;
const WAITING_BYTES = 32_000_000;

const batchItems = new Histogram({
  name: "messageoh_messages_batch_items",
  help: "Messages of one insert",
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
const waitingMessages = new Gauge({ name: "messageoh_messages_waiting", help: "Messages that wait for an insert" });

const RETRY = { retry: true } as const;

interface Waiting {
  message: ResolvedMessage;
  resolve: (result: StreamStoreResult) => void;
}

/**
 * Returns a function that stores a message in a batch with others and resolves with its result, or with `retry` if the
 * queue is full or the message has no result.
 *
 * At most {@link RUNNING_MAX} inserts run at the same time. One with a full batch starts at once. Any other one starts:
 * - while an insert runs, {@link OVERLAP_INTERVAL_MS} after the start of the last one;
 * - after an insert of n messages that took t ms, 2t ms after its start, but n ms after it at the latest.
 *
 * So the batches grow with the load of the process and of the database. A thread is never in two inserts at once.
 * @param insert resolves with one result per message, `undefined` for a message to be retried
 */
export function createInsertQueue(insert: (batch: ResolvedMessage[]) => Promise<readonly (FinalResult | undefined)[]>) {
  const queue = new Set<Waiting>();
  const threadsInInserts = new Set<string>();
  let waitingBytes = 0;
  let running = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let intervalMs = 0;
  let isScheduled = false;
  let timer: NodeJS.Timeout | undefined;

  /** Starts inserts after this turn of the event loop, so that the messages of the turn share one. */
  function schedule(): void {
    if (!isScheduled) setImmediate(start);
    isScheduled = true;
  }

  function start(): void {
    isScheduled = false;
    clearTimeout(timer);
    while (queue.size > 0 && running < RUNNING_MAX) {
      const waitMs = msUntilNext();
      if (waitMs > 0) {
        timer = setTimeout(start, Math.ceil(waitMs));
        return;
      }
      const batch = take();
      if (batch.length === 0) return;
      void run(batch);
    }
  }

  function msUntilNext(): number {
    if (queue.size >= BATCH_MAX_MESSAGES) return 0;
    return startedAt + (running === 0 ? intervalMs : OVERLAP_INTERVAL_MS) - performance.now();
  }

  function take(): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    for (const waiting of queue) {
      if (threadsInInserts.has(waiting.message.thread_id)) continue;
      batch.push(waiting);
      bytes += messageBytes(waiting.message);
      if (batch.length === BATCH_MAX_MESSAGES || bytes >= BATCH_BYTES) break;
    }
    waitingBytes -= bytes;
    for (const waiting of batch) {
      queue.delete(waiting);
      threadsInInserts.add(waiting.message.thread_id);
    }
    waitingMessages.set(queue.size);
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    batchItems.observe(batch.length);
    running += 1;
    const beganAt = performance.now();
    startedAt = beganAt;
    const late = pause(INSERT_MAX_MS, [], { ref: false });
    const messages = batch.map(({ message }) => message);
    const results = await Promise.race([insert(messages).catch(() => []), late]);
    running -= 1;
    intervalMs = Math.min(batch.length, 2 * (performance.now() - beganAt));
    for (const [index, { message, resolve }] of batch.entries()) {
      threadsInInserts.delete(message.thread_id);
      resolve(results[index] ?? RETRY);
    }
    schedule();
  }

  return async (message: ResolvedMessage): Promise<StreamStoreResult> => {
    const bytes = messageBytes(message);
    if (queue.size >= WAITING_ITEMS || waitingBytes + bytes > WAITING_BYTES) return RETRY;
    waitingBytes += bytes;
    return new Promise((resolve) => {
      queue.add({ message, resolve });
      waitingMessages.set(queue.size);
      schedule();
    });
  };
}
