import type { Message } from "@messageoh/contracts/messages";
import type { SendAck } from "@messageoh/contracts/realtime";
import { createBackoffs } from "./backoffs.ts";
import type { OutboxStorage } from "./outboxStorage.ts";
import {
  afterFailure,
  type Failing,
  givenUp,
  inOrder,
  isDeletable,
  NOT_SENT_AFTER_MS,
  nextQueuedAt,
  nextToSend,
  refused,
  retried,
  tried,
} from "./queue.ts";
import type { QueuedMessage } from "./queuedMessage.ts";
import { TAKE_OVER_MS, type TabLock } from "./tabLock.ts";

export interface OutboxOptions {
  storage: OutboxStorage;
  lock: TabLock;
  /** Rejects if the response times out. */
  send: (entry: QueuedMessage) => Promise<SendAck>;
  canSend: () => boolean;
  onChange: (queue: readonly QueuedMessage[]) => void;
  onStored: (message: Message) => void;
  /** Called after each attempt. `isLate` if it will be retried, with the server's reason if there is one. */
  onAttempt: (isLate: boolean, reason?: string) => void;
  now?: () => number;
  random?: () => number;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Returns a queue that keeps the user's messages until the server has stored them and sends them in order per thread.
 */
export function createOutbox(options: OutboxOptions) {
  const { storage, lock, send, canSend, onChange, onStored, onAttempt, now = Date.now, random = Math.random } = options;
  const entries = new Map<string, QueuedMessage>();
  /** Client id of the message in flight, by thread id. */
  const inFlight = new Map<string, string>();
  const backoffs = createBackoffs(pump, random);
  /** Failed attempts of this tab, by client id. A reload starts them again. */
  const failing = new Map<string, Failing>();
  /** Client ids of messages that the storage did not take, so that their absence there means nothing. */
  const unstored = new Set<string>();
  let queue: readonly QueuedMessage[] = [];
  let shown: readonly QueuedMessage[] = queue;
  let isSender = false;
  let isRunning = false;
  let takeOverTimer: ReturnType<typeof setTimeout> | undefined;

  function changed(): void {
    queue = inOrder(entries.values());
    pump();
  }

  function store(entry: QueuedMessage): void {
    entries.set(entry.client_id, entry);
    if (storage.write(entry)) unstored.delete(entry.client_id);
    else unstored.add(entry.client_id);
  }

  function put(...changedEntries: QueuedMessage[]): void {
    for (const entry of changedEntries) {
      failing.delete(entry.client_id);
      store(entry);
    }
    if (changedEntries.length > 0) changed();
  }

  function remove(clientIds: readonly string[]): void {
    const held = clientIds.filter((clientId) => entries.delete(clientId));
    for (const clientId of held) {
      failing.delete(clientId);
      unstored.delete(clientId);
      storage.remove(clientId);
    }
    if (held.length > 0) changed();
  }

  /** Sends all messages that are due and shows the queue. */
  function pump(): void {
    sendDue();
    if (queue === shown) return;
    shown = queue;
    onChange(queue);
  }

  function sendDue(): void {
    if (!isRunning || !isSender || !canSend()) return;
    for (const head of nextToSend(queue)) {
      if (!inFlight.has(head.thread_id) && !backoffs.isWaiting(head.thread_id)) void attempt(head);
    }
  }

  async function attempt(head: QueuedMessage): Promise<void> {
    const startedAt = now();
    const entry = tried(head);
    inFlight.set(entry.thread_id, entry.client_id);
    if (head.is_untried) {
      // Stored before it is sent, so that no tab deletes it from now on, also after a crash.
      store(entry);
      queue = inOrder(entries.values());
    }
    const ack = await send(entry).catch(() => null);
    inFlight.delete(entry.thread_id);
    // Handle a stored message even if the page is closing.
    if (ack && "message" in ack) {
      backoffs.clear(entry.thread_id);
      onAttempt(false);
      onStored(ack.message);
      remove([entry.client_id]);
    } else if (ack && !ack.is_retryable) {
      backoffs.clear(entry.thread_id);
      onAttempt(false);
      if (entries.has(entry.client_id)) put(refused(entry, ack));
    } else {
      backoffs.fail(entry.thread_id);
      const failed = afterFailure(failing.get(entry.client_id), startedAt, now());
      failing.set(entry.client_id, failed);
      if (failed.spentMs >= NOT_SENT_AFTER_MS && entries.has(entry.client_id)) put(...givenUp(queue, entry));
      // A lost connection has its own state; report only delays of the server.
      if (canSend()) onAttempt(true, ack?.error);
    }
    pump();
  }

  function watchSender(): void {
    clearTimeout(takeOverTimer);
    const waiting = new Set(queue.filter(({ state }) => state === "sending").map(({ client_id }) => client_id));
    takeOverTimer = setTimeout(() => {
      const isStuck = queue.some(({ state, client_id }) => state === "sending" && waiting.has(client_id));
      if (isRunning && !isSender && canSend() && isStuck) lock.takeOver();
    }, TAKE_OVER_MS);
  }

  return {
    start(): void {
      isRunning = true;
      for (const entry of storage.readAll()) entries.set(entry.client_id, entry);
      lock.start((isNowSender) => {
        isSender = isNowSender;
        pump();
      });
      changed();
    },
    stop(): void {
      isRunning = false;
      isSender = false;
      backoffs.clearAll();
      clearTimeout(takeOverTimer);
      lock.stop();
    },
    add(message: Omit<QueuedMessage, "queued_at" | "state" | "timestamp">): void {
      const timestamp = new Date(now()).toISOString();
      put({ ...message, timestamp, queued_at: nextQueuedAt(queue, now()), state: "sending", is_untried: true });
      watchSender();
    },
    retry(clientId: string): void {
      const entry = entries.get(clientId);
      if (entry?.state !== "not-sent") return;
      const again = retried(entry, queue, now());
      if (again.client_id !== clientId) remove([clientId]);
      put(again);
      watchSender();
    },
    /** Replaces the text of a message that no tab has tried to send. Returns whether it is replaced. */
    edit(clientId: string, text: string): boolean {
      const entry = entries.get(clientId);
      if (!entry?.is_untried) return false;
      put({ ...entry, text });
      return true;
    },
    /** Deletes a message unless an attempt to send it goes on: it may have arrived. Returns whether it is deleted. */
    delete(clientId: string): boolean {
      const entry = entries.get(clientId);
      if (entry === undefined || !isDeletable(entry)) return false;
      remove([clientId]);
      return true;
    },
    /** Removes messages that were found among the stored ones. */
    settle: remove,
    /** Removes all messages, because the account can send none any more. */
    wipe: () => remove([...entries.keys()]),
    /** Sends without waiting for the backoff, after a reconnect. */
    flush(): void {
      backoffs.clearAll();
      pump();
      watchSender();
    },
    /** Applies a change that another tab made to the storage. */
    handleStorage(event: Pick<StorageEvent, "key" | "newValue">): void {
      const change = storage.readEvent(event);
      if (!change) return;
      if (change.entry) entries.set(change.id, change.entry);
      // A message that another tab deleted while this one began to send it is shown until the server has responded.
      else if (![...inFlight.values()].includes(change.id)) entries.delete(change.id);
      changed();
    },
    /**
     * Reloads the storage after the page was suspended, because it missed storage events. A message that another tab has
     * deleted is not sent. Sending one again that may be stored is harmless.
     */
    reload(): void {
      const kept = new Map(storage.readAll().map((entry) => [entry.client_id, entry]));
      for (const [clientId, entry] of entries) {
        if (isDeletable(entry) && !kept.has(clientId) && !unstored.has(clientId)) entries.delete(clientId);
      }
      for (const [clientId, entry] of kept) entries.set(clientId, entry);
      changed();
    },
  };
}
