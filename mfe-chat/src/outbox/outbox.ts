import { previewIn } from "@messageoh/contracts/linkPreviews";
import type { Message } from "@messageoh/contracts/messages";
import type { SendAck } from "@messageoh/contracts/realtime";
import type { FileStore } from "./fileStore.ts";
import type { OutboxStorage } from "./outboxStorage.ts";
import {
  afterFailure,
  type Failing,
  givenUp,
  inOrder,
  isDeletable,
  NOT_SENT_AFTER_MS,
  nextIn,
  nextQueuedAt,
  refused,
  retried,
  tried,
  uploaded,
} from "./queue.ts";
import type { QueuedFile, QueuedMessage } from "./queuedMessage.ts";
import { createSharedQueue } from "./sharedQueue.ts";
import type { TabLock } from "./tabLock.ts";
import { createUploads, type PrepareFile, type UploadFile } from "./uploads.ts";

export interface OutboxOptions {
  storage: OutboxStorage;
  lock: TabLock;
  /** Rejects if the response times out. */
  send: (entry: QueuedMessage) => Promise<SendAck>;
  canSend: () => boolean;
  files: FileStore;
  prepareFile: PrepareFile;
  uploadFile: UploadFile;
  /** Called with the share of a message's files that has arrived, from 0 to 1. */
  onProgress: (clientId: string, share: number) => void;
  onChange: (queue: readonly QueuedMessage[]) => void;
  onStored: (message: Message) => void;
  /** Called after each attempt. `isLate` if it will be retried, with the server's reason if there is one. */
  onAttempt: (isLate: boolean, reason?: string) => void;
}

const keysOf = ({ files = [] }: QueuedMessage): string[] =>
  files.flatMap(({ key, original }) => [key].concat(original ?? []));

/** A message as the user sends it. */
export type NewMessage = Omit<QueuedMessage, "queued_at" | "state" | "timestamp">;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Returns a queue that keeps the user's messages until the server has stored them and sends them in order per thread.
 */
export function createOutbox(options: OutboxOptions) {
  const { storage, lock, send, canSend, files, onChange, onStored, onAttempt } = options;
  const shared = createSharedQueue({ storage, lock, canSend, pump, waitingIds });
  const { entries, inFlight, backoffs } = shared;
  const uploads = createUploads({
    ...options,
    onFile: noteFile,
    onFailed(clientId, reason) {
      const entry = entries.get(clientId);
      if (entry) put({ ...entry, state: "not-sent", reason });
    },
    onIdle: pump,
  });
  /** Failed attempts of this tab, by client id. A reload starts them again. */
  const failing = new Map<string, Failing>();
  let queue: readonly QueuedMessage[] = [];
  let shown: readonly QueuedMessage[] = queue;

  function changed(): void {
    queue = inOrder(entries.values());
    pump();
  }

  /** Stores a message whose files are saved: another tab, or this one after a reload, would not find others. */
  const store = (entry: QueuedMessage) => shared.write(entry, files.areSaved(keysOf(entry)));

  function put(...changedEntries: QueuedMessage[]): void {
    for (const entry of changedEntries) {
      failing.delete(entry.client_id);
      store(entry);
    }
    if (changedEntries.length > 0) changed();
  }

  function remove(clientIds: readonly string[]): void {
    const held = clientIds.flatMap((clientId) => entries.get(clientId) ?? []);
    for (const entry of held) {
      forget(entry);
      files.remove(keysOf(entry));
    }
    if (held.length > 0) changed();
  }

  function forget({ client_id }: QueuedMessage): void {
    failing.delete(client_id);
    shared.remove(client_id);
  }

  /** Sends all messages that are due and shows the queue. */
  function pump(): void {
    sendDue();
    if (queue === shown) return;
    shown = queue;
    onChange(queue);
  }

  /** Keeps what is known of a file. With the last one, the message takes its place among those to send. */
  function noteFile(clientId: string, key: string, known: Partial<QueuedFile>): void {
    const entry = entries.get(clientId);
    if (entry?.state !== "uploading") return;
    const knownFiles = entry.files?.map((file) => (file.key === key ? { ...file, ...known } : file)) ?? [];
    const changedEntry = { ...entry, files: knownFiles };
    put(knownFiles.every(({ attachment }) => attachment) ? uploaded(changedEntry, queue, Date.now()) : changedEntry);
  }

  function sendDue(): void {
    uploads.pump(shared.isSender() ? queue : []);
    if (!shared.isSender() || !canSend()) return;
    for (const head of nextIn("sending", queue)) if (shared.isFree(head.thread_id)) void attempt(head);
  }

  async function attempt(head: QueuedMessage): Promise<void> {
    const startedAt = Date.now();
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
      const failed = afterFailure(failing.get(entry.client_id), startedAt, Date.now());
      failing.set(entry.client_id, failed);
      if (failed.spentMs >= NOT_SENT_AFTER_MS && entries.has(entry.client_id)) put(...givenUp(queue, entry));
      // A lost connection has its own state; report only delays of the server.
      if (canSend()) onAttempt(true, ack?.error);
    }
    pump();
  }

  /** Returns the client ids of the messages that wait for the tab that sends, also those whose upload has not begun. */
  function waitingIds(): string[] {
    const hasNotBegun = ({ files = [] }: QueuedMessage) => !files.some(({ url, attachment }) => url ?? attachment);
    const waiting = [
      ...queue.filter(({ state }) => state === "sending"),
      ...nextIn("uploading", queue).filter(hasNotBegun),
    ];
    return waiting.map(({ client_id }) => client_id);
  }

  return {
    start(): void {
      shared.reload(() => false);
      files.sweep([...entries.values()].flatMap(keysOf), Date.now());
      shared.start();
      changed();
    },
    stop(): void {
      shared.stop();
      pump();
      uploads.flush();
    },
    /** Adds messages in their order. */
    add(...messages: readonly NewMessage[]): void {
      const timestamp = new Date().toISOString();
      const first = nextQueuedAt(queue, Date.now());
      const added = messages.map((message, index): QueuedMessage => {
        const state = message.files ? "uploading" : "sending";
        return { ...message, timestamp, queued_at: first + index, state, is_untried: true };
      });
      put(...added);
      shared.watchSender();
    },
    /** Stores a message whose files are stored by now. */
    keep(clientId: string): void {
      const entry = entries.get(clientId);
      if (entry) store(entry);
    },
    hasUnstored: shared.hasUnstored,
    /** Makes this tab the one that sends, because no other tab has the files. */
    takeOver: lock.takeOver,
    retry(clientId: string): void {
      const entry = entries.get(clientId);
      if (entry?.state !== "not-sent") return;
      const again = retried(entry, queue, Date.now());
      if (again.client_id !== clientId) forget(entry);
      put(again);
      shared.watchSender();
    },
    /** Replaces the text of a message that no tab has tried to send. Returns whether it is replaced. */
    edit(clientId: string, text: string): boolean {
      const entry = entries.get(clientId);
      if (!entry?.is_untried) return false;
      put({ ...entry, text, preview: previewIn(text, entry.preview) });
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
      uploads.flush();
      pump();
      shared.watchSender();
    },
    /** Applies a change that another tab made to the storage. */
    handleStorage(event: Pick<StorageEvent, "key" | "newValue">): void {
      if (shared.handleStorage(event)) changed();
    },
    /**
     * Reloads the storage after the page was suspended, because it missed storage events. A message that another tab
     * has deleted is not sent. Sending one again that may be stored is harmless.
     */
    reload(): void {
      shared.reload(isDeletable);
      changed();
    },
  };
}
