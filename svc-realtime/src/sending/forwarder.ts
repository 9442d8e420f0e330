import type { MessageItem } from "@messageoh/contracts/bus";
import type { StreamStoreResult } from "@messageoh/contracts/messageStream";
import { type Message, messageBytes, type NewMessage } from "@messageoh/contracts/messages";
import { Busy } from "@messageoh/service-kit/busy";
import { Counter, Gauge, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import type { MessagesInstance, MessagesService } from "./messagesService.ts";

/** Longest wait for the results of a group, and of a message for its result. The browser then retries the message. */
const GROUP_MAX_MS = 5_000;
const WAIT_MAX_MS = 15_000;
/** Time without a result, while messages wait, after which the service counts as stalled. */
const STALLED_AFTER_MS = 2_000;
const CHECK_MS = 250;
const RETRY_FIRST_MS = 40;
const RETRY_MAX_MS = 2_000;
/** What one group may contain, what may wait in all, and of one sender. */
const GROUP_ITEMS = 64;
const GROUP_BYTES = 64_000;
const WAITING_ITEMS = 10_000;
const WAITING_BYTES = 32_000_000;
const SENDER_ITEMS = 500;
const SENDER_BYTES = 1_000_000;

const sends = new Counter({ name: "messageoh_realtime_sends_total", help: "Messages accepted from clients" });
const storeSeconds = new Histogram({
  name: "messageoh_realtime_store_seconds",
  help: "Time from a request to svc-messages to its result",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const retries = new Counter({
  name: "messageoh_realtime_store_retries_total",
  help: "Groups of messages that were not stored and are sent again",
});
let countWaiting = () => 0;
new Gauge({
  name: "messageoh_realtime_waiting_messages",
  help: "Messages without a result",
  collect() {
    this.set(countWaiting());
  },
});

/** The final result of a message: stored or refused. */
export type FinalResult = Exclude<StreamStoreResult, { retry: true }>;
export type Forwarder = ReturnType<typeof createForwarder>;

interface Waiting {
  message: NewMessage;
  since: number;
  resolve: (result: FinalResult) => void;
  reject: (error: Busy) => void;
}
interface Group {
  instance: MessagesInstance;
  sentAt: number;
  numbers: number[];
  isRetried: boolean;
}
interface ThreadQueue {
  items: Waiting[];
  group: Group | undefined;
  attempts: number;
}

export interface ForwarderListeners {
  /** Called with each message that is stored, before its sender gets the result. */
  onStored: (item: MessageItem) => void;
  /** Called when no message was stored for {@link STALLED_AFTER_MS}, and when storing recovers. */
  onStalledChange: (isStalled: boolean) => void;
}

/**
 * Forwards messages to the svc-messages instance that owns their thread. One group of messages per thread is under way, so
 * a message that is retried, with the same client id, keeps its place and delays only its own thread.
 */
export function createForwarder(service: MessagesService, { onStored, onStalledChange }: ForwarderListeners) {
  const queues = new Map<string, ThreadQueue>();
  const requests = new Map<number, { queue: ThreadQueue; waiting: Waiting }>();
  const waitingOf = new Map<string, { items: number; bytes: number }>();
  let waitingItems = 0;
  let waitingBytes = 0;
  countWaiting = () => waitingItems;
  let lastNumber = 0;
  let lastResultAt = 0;
  let isStalled = false;

  function count({ message }: Waiting, sign: 1 | -1): void {
    const bytes = sign * messageBytes(message);
    waitingItems += sign;
    waitingBytes += bytes;
    const own = waitingOf.get(message.sending_user_id) ?? { items: 0, bytes: 0 };
    if (own.items + sign === 0) waitingOf.delete(message.sending_user_id);
    else waitingOf.set(message.sending_user_id, { items: own.items + sign, bytes: own.bytes + bytes });
  }

  /** Sends the next group of a thread. */
  function sendGroup(threadId: string, queue: ThreadQueue): void {
    if (queue.group || queues.get(threadId) !== queue) return;
    const instance = service.ownerOf(threadId);
    if (!instance) {
      retryLater(threadId, queue);
      return;
    }
    const group: Group = { instance, sentAt: performance.now(), numbers: [], isRetried: false };
    let bytes = 0;
    const messages = queue.items.slice(0, GROUP_ITEMS).flatMap((waiting): [number, NewMessage][] => {
      bytes += messageBytes(waiting.message);
      if (bytes > GROUP_BYTES && group.numbers.length > 0) return [];
      lastNumber += 1;
      requests.set(lastNumber, { queue, waiting });
      group.numbers.push(lastNumber);
      return [[lastNumber, waiting.message]];
    });
    queue.group = group;
    service.request(instance, { messages });
  }

  function receive(number: number, result: StreamStoreResult): void {
    const request = requests.get(number);
    if (!request) return;
    requests.delete(number);
    const { queue, waiting } = request;
    const { message } = waiting;
    const group = queue.group as Group;
    storeSeconds.observe((performance.now() - group.sentAt) / 1_000);
    group.numbers = group.numbers.filter((each) => each !== number);
    if ("retry" in result) group.isRetried = true;
    else {
      lastResultAt = performance.now();
      queue.items = queue.items.filter((each) => each !== waiting);
      count(waiting, -1);
      if ("message" in result) {
        const { is_repeat = false, ...stored } = result;
        const { origin, request_id } = message;
        onStored({ ...stored, is_repeat, origin, request_id });
      }
      waiting.resolve(result);
    }
    if (group.numbers.length > 0) return;
    queue.group = undefined;
    if (group.isRetried) {
      retryLater(message.thread_id, queue);
      return;
    }
    queue.attempts = 0;
    if (queue.items.length > 0) sendGroup(message.thread_id, queue);
    else queues.delete(message.thread_id);
  }

  /** Gives up the results of a group, and sends its messages again in order after a backoff with jitter. */
  function retryLater(threadId: string, queue: ThreadQueue): void {
    for (const number of queue.group?.numbers ?? []) requests.delete(number);
    queue.group = undefined;
    const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** queue.attempts, RETRY_MAX_MS);
    queue.attempts += 1;
    retries.inc();
    setTimeout(sendGroup, backoffMs * (0.5 + Math.random() / 2), threadId, queue).unref();
  }

  /** Gives up all messages of a thread, because later ones must not overtake the first. */
  function giveUp(threadId: string, queue: ThreadQueue): void {
    for (const number of queue.group?.numbers ?? []) requests.delete(number);
    queues.delete(threadId);
    for (const waiting of queue.items) {
      count(waiting, -1);
      waiting.reject(new Busy("Waited too long"));
    }
  }

  function check(): void {
    const now = performance.now();
    let isWaiting = false;
    for (const [threadId, queue] of queues) {
      const waitedMs = now - (queue.items[0]?.since ?? now);
      isWaiting ||= waitedMs > STALLED_AFTER_MS;
      if (waitedMs > WAIT_MAX_MS) giveUp(threadId, queue);
      else if (queue.group && now - queue.group.sentAt > GROUP_MAX_MS) retryLater(threadId, queue);
    }
    const wasStalled = isStalled;
    isStalled = isWaiting && now - lastResultAt > STALLED_AFTER_MS;
    if (isStalled !== wasStalled) onStalledChange(isStalled);
  }
  const timer = setInterval(check, CHECK_MS).unref();

  return {
    receive,

    /** Sends what an instance that has failed had under way to the next owner. */
    moveFrom(instance: MessagesInstance): void {
      for (const [threadId, queue] of queues) if (queue.group?.instance === instance) retryLater(threadId, queue);
    },

    /**
     * Resolves when the message is stored or refused.
     * @throws Busy if too many messages wait or the message waited too long
     */
    send(message: NewMessage): Promise<FinalResult> {
      sends.inc();
      const own = waitingOf.get(message.sending_user_id);
      const isFull = waitingItems >= WAITING_ITEMS || waitingBytes >= WAITING_BYTES;
      if (isFull || (own && (own.items >= SENDER_ITEMS || own.bytes >= SENDER_BYTES))) {
        return Promise.reject(new Busy("Too many waiting messages"));
      }
      const { promise, resolve, reject } = Promise.withResolvers<FinalResult>();
      const waiting: Waiting = { message, since: performance.now(), resolve, reject };
      count(waiting, 1);
      const queue = queues.get(message.thread_id) ?? { items: [], group: undefined, attempts: 0 };
      queue.items.push(waiting);
      if (queue.items.length === 1) {
        queues.set(message.thread_id, queue);
        sendGroup(message.thread_id, queue);
      }
      return promise;
    },

    /** Returns whether the message waits for its result here. */
    isUnderWay: ({ thread_id, client_id }: Message): boolean =>
      queues.get(thread_id)?.items.some(({ message }) => message.client_id === client_id) ?? false,
    /** Returns whether every message has its result. */
    isIdle: () => queues.size === 0,
    close: () => clearInterval(timer),
  };
}
