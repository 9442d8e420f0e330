import { BUSY } from "@messageoh/contracts/errorTexts";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { NewMessage } from "@messageoh/contracts/messages";
import { unavailable } from "@messageoh/service-kit/errors";
import { Counter, Gauge, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import type { Stored } from "./storeBatch.ts";

const QUEUE_MAX_MESSAGES = 5_000;

const queueDepth = new Gauge({ name: "messageoh_messages_write_queue_depth", help: "Messages waiting to be stored" });
const batchSize = new Histogram({
  name: "messageoh_messages_write_batch_size",
  help: "Messages of one write",
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
const writeSeconds = new Histogram({
  name: "messageoh_messages_write_seconds",
  help: "Duration of one write, the numbering of its messages included",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const failedWrites = new Counter({
  name: "messageoh_messages_failed_writes_total",
  help: "Writes whose messages nobody knows to be stored: their senders send again",
});
const storedMessages = new Counter({ name: "messageoh_messages_stored_total", help: "New messages stored" });
const repeats = new Counter({
  name: "messageoh_messages_repeats_total",
  help: "Messages sent again that were stored before, and were not again",
});

interface Waiting {
  messages: readonly NewMessage[];
  resolve: (rows: Stored[]) => void;
  reject: (error: unknown) => void;
}

export type Write = (messages: readonly NewMessage[]) => Promise<Stored[]>;

/**
 * One write at a time: what arrives while a write is under way goes into the next one together. An idle service adds no
 * wait, a loaded one few writes, and messages are published in the order of their numbers.
 */
export function createWriter(
  storeBatch: Write,
  afterwards: (rows: Stored[], of: readonly NewMessage[]) => void,
): Write {
  const queue: Waiting[] = [];
  let waitingMessages = 0;
  let isWriting = false;

  async function drain(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (queue.length > 0) {
      const taken = takeBatch();
      const messages = taken.flatMap((waiting) => waiting.messages);
      batchSize.observe(messages.length);
      try {
        const endTimer = writeSeconds.startTimer();
        const rows = await storeBatch(messages);
        endTimer();
        const again = rows.filter((stored) => stored.isRepeat).length;
        storedMessages.inc(rows.length - again);
        repeats.inc(again);
        afterwards(rows, messages);
        let start = 0;
        for (const { messages: own, resolve } of taken) {
          resolve(rows.slice(start, start + own.length));
          start += own.length;
        }
      } catch (error) {
        failedWrites.inc();
        for (const { reject } of taken) reject(error);
      }
    }
    isWriting = false;
  }

  function takeBatch(): Waiting[] {
    let size = 0;
    let count = 0;
    for (const { messages } of queue) {
      if (count > 0 && size + messages.length > BATCH_MAX_MESSAGES) break;
      size += messages.length;
      count += 1;
    }
    waitingMessages -= size;
    queueDepth.set(waitingMessages);
    return queue.splice(0, count);
  }

  return (messages) =>
    new Promise((resolve, reject) => {
      if (waitingMessages + messages.length > QUEUE_MAX_MESSAGES) {
        reject(unavailable(BUSY));
        return;
      }
      waitingMessages += messages.length;
      queueDepth.set(waitingMessages);
      queue.push({ messages, resolve, reject });
      drain();
    });
}
