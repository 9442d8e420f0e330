import { setTimeout as pause } from "node:timers/promises";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { messageBytes, type NewMessage } from "@messageoh/contracts/messages";
import { Busy } from "@messageoh/service-kit/busy";
import { Gauge, Histogram } from "@messageoh/service-kit/metrics";

/** Inserts at the same time. */
const RUNNING_MAX = 4;
/** Longest wait for an insert, in milliseconds. Its messages are retried, and it may still succeed. */
const INSERT_MAX_MS = 3_000;
/** Longest time that a message waits for company while fewer than {@link RUNNING_MAX} inserts run, in milliseconds. */
const COLLECT_MAX_MS = 30;
const BATCH_BYTES = 1_000_000;
/** What one thread may take of a batch, so that a busy thread delays the others little. */
const THREAD_ITEMS = 16;
const THREAD_BYTES = 16_000;
/** What may wait: in all, and of one thread. */
const WAITING_ITEMS = 5_000;
const WAITING_BYTES = 32_000_000;
const THREAD_WAITING_ITEMS = 1_000;

const batchItems = new Histogram({
  name: "messageoh_messages_batch_items",
  help: "Messages of one insert",
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
let countWaiting = () => 0;
new Gauge({
  name: "messageoh_messages_waiting",
  help: "Messages that wait for an insert or for its result",
  collect() {
    this.set(countWaiting());
  },
});

interface Waiting<Result> {
  message: NewMessage;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: Busy) => void;
}
type ThreadQueue<Result> = Waiting<Result>[];

/**
 * Returns a function that stores a message in a batch with others and resolves with its result. The messages of a thread
 * keep their order and are never in two batches at once. An idle queue starts an insert at once; while inserts run,
 * messages collect for the next one. Rejects with {@link Busy} if the queue is full, or if the message or one before it
 * in its thread has no result: the caller retries all of them in order.
 * @param insert resolves with one result per message, `undefined` for a message to be retried
 */
export function createInsertQueue<Result>(insert: (batch: NewMessage[]) => Promise<readonly (Result | undefined)[]>) {
  const queues = new Map<string, ThreadQueue<Result>>();
  /** Threads whose messages wait for a batch, in the order in which they became ready. */
  const ready = new Set<string>();
  let waitingItems = 0;
  let waitingBytes = 0;
  countWaiting = () => waitingItems;
  let readyItems = 0;
  let running = 0;
  let lastItems = 0;
  let isScheduled = false;
  let isCollecting = false;

  const queueOf = (threadId: string) => queues.get(threadId) ?? [];

  function makeReady(threadId: string): void {
    ready.add(threadId);
    readyItems += queueOf(threadId).length;
    schedule();
  }

  /** Starts inserts later, so that messages of one turn of the event loop share one. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (mayStart()) void run(take());
      if (ready.size === 0 || running >= RUNNING_MAX || isCollecting) return;
      isCollecting = true;
      setTimeout(endCollecting, COLLECT_MAX_MS);
    });
  }

  function endCollecting(): void {
    isCollecting = false;
    schedule();
  }

  function mayStart(): boolean {
    const [next] = ready;
    if (next === undefined || running >= RUNNING_MAX) return false;
    const since = queueOf(next)[0]?.since ?? 0;
    const enough = readyItems >= running * Math.max(2, lastItems);
    return running === 0 || enough || performance.now() - since >= COLLECT_MAX_MS;
  }

  function take(): [string, Waiting<Result>[]][] {
    const parts: [string, Waiting<Result>[]][] = [];
    let room = BATCH_MAX_MESSAGES;
    let roomBytes = BATCH_BYTES;
    for (const threadId of ready) {
      const queue = queueOf(threadId);
      let count = 0;
      let bytes = 0;
      for (const { message } of queue.slice(0, Math.min(THREAD_ITEMS, room))) {
        bytes += messageBytes(message);
        if (count > 0 && bytes > THREAD_BYTES) break;
        count += 1;
      }
      ready.delete(threadId);
      readyItems -= queue.length;
      parts.push([threadId, queue.splice(0, count)]);
      room -= count;
      roomBytes -= bytes;
      if (room <= 0 || roomBytes <= 0) break;
    }
    return parts;
  }

  async function run(parts: [string, Waiting<Result>[]][]): Promise<void> {
    const batch = parts.flatMap(([, taken]) => taken.map(({ message }) => message));
    batchItems.observe(batch.length);
    lastItems = batch.length;
    running += 1;
    const late = pause(INSERT_MAX_MS, [], { ref: false });
    const results = await Promise.race([insert(batch).catch(() => []), late]);
    running -= 1;
    let index = 0;
    for (const [threadId, taken] of parts) {
      settle(threadId, taken, results.slice(index, index + taken.length));
      index += taken.length;
    }
    schedule();
  }

  function settle(threadId: string, taken: Waiting<Result>[], results: readonly (Result | undefined)[]): void {
    const queue = queueOf(threadId);
    const retried: Waiting<Result>[] = [];
    for (const [index, waiting] of taken.entries()) {
      const result = results[index];
      count(waiting, -1);
      if (result === undefined) waiting.reject(new Busy("Not stored"));
      else waiting.resolve(result);
      if (result === undefined) retried.push(...queue.splice(0));
    }
    for (const waiting of retried) {
      count(waiting, -1);
      waiting.reject(new Busy("Behind a message that is not stored"));
    }
    if (queue.length === 0) queues.delete(threadId);
    else makeReady(threadId);
  }

  function count({ message }: Waiting<Result>, sign: 1 | -1): void {
    waitingItems += sign;
    waitingBytes += sign * messageBytes(message);
  }

  return (message: NewMessage): Promise<Result> => {
    const { thread_id } = message;
    const queue = queues.get(thread_id);
    const isFull = waitingItems >= WAITING_ITEMS || waitingBytes >= WAITING_BYTES;
    if (isFull || (queue && queue.length >= THREAD_WAITING_ITEMS)) return Promise.reject(new Busy("Queue full"));
    return new Promise((resolve, reject) => {
      const waiting = { message, since: performance.now(), resolve, reject };
      count(waiting, 1);
      if (queue) {
        queue.push(waiting);
        if (!ready.has(thread_id)) return;
        readyItems += 1;
        schedule();
      } else {
        queues.set(thread_id, [waiting]);
        makeReady(thread_id);
      }
    });
  };
}
