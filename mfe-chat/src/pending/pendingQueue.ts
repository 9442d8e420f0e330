import { ApiError } from "@messageoh/contracts/client";
import { isFinal } from "../outbox/backoffs.ts";
import { newClientId } from "../outbox/clientId.ts";
import { nextQueuedAt, tried } from "../outbox/queue.ts";
import { createSharedQueue } from "../outbox/sharedQueue.ts";
import type { TabLock } from "../outbox/tabLock.ts";
import type { NewChange, PendingChange, Stored } from "./pendingChange.ts";
import type { PendingStorage } from "./pendingStorage.ts";

export interface PendingQueueOptions {
  storage: PendingStorage;
  lock: TabLock;
  /** Rejects with ApiError. */
  send: (change: PendingChange) => Promise<Stored>;
  canSend: () => boolean;
  onChange: (pending: readonly PendingChange[]) => void;
}

/** Called until `stop`: after a log-out, `onStored` would store a draft on the device again. */
export interface PendingQueueListeners {
  onStored: (stored: Stored) => void;
  /** Called with a change that the server refuses. It is removed next. */
  onRefused: (change: PendingChange, error: ApiError) => void;
}

export type PendingQueue = ReturnType<typeof createPendingQueue>;

/**
 * Returns a queue that keeps the user's changes of messages and drafts until the server has confirmed them, in order
 * per thread.
 */
export function createPendingQueue(options: PendingQueueOptions) {
  const { storage, lock, send, canSend, onChange } = options;
  const shared = createSharedQueue({ storage, lock, canSend, pump, waitingIds });
  const { entries, inFlight, backoffs } = shared;
  let listeners: PendingQueueListeners | undefined;

  function waitingIds(): Iterable<string> {
    return entries.keys();
  }
  const queue = () => [...entries.values()].sort((a, b) => a.queued_at - b.queued_at);
  const isInFlight = ({ thread_id, op_id }: PendingChange) => inFlight.get(thread_id) === op_id;

  const remove = ({ op_id }: PendingChange) => shared.remove(op_id);
  const reload = () => shared.reload((change) => !isInFlight(change));

  function changed(): void {
    onChange(queue());
    pump();
  }

  /** Sends the first change of each thread. */
  function pump(): void {
    if (!shared.isSender() || !canSend()) return;
    for (const change of queue()) if (shared.isFree(change.thread_id)) void attempt(change);
  }

  async function attempt(change: PendingChange): Promise<void> {
    const { thread_id } = change;
    inFlight.set(thread_id, change.op_id);
    if (change.kind === "edit" && change.is_untried) shared.write(tried(change));
    try {
      const stored = await send(change);
      backoffs.clear(thread_id);
      if (shared.isRunning()) listeners?.onStored(stored);
      // The user wrote a later edit after this one.
      const base = ("edit_count" in stored && stored.edit_count) || 0;
      for (const later of entries.values()) {
        if (later.kind === "edit" && isSame(later, change)) shared.write({ ...later, base });
      }
      remove(change);
    } catch (error) {
      if (!(error instanceof ApiError && isFinal(error))) backoffs.fail(thread_id);
      // The user learns of a refusal after a stop at the next visit.
      else if (shared.isRunning()) {
        listeners?.onRefused(change, error);
        remove(change);
      }
    }
    inFlight.delete(thread_id);
    changed();
  }

  return {
    listen(to: PendingQueueListeners): void {
      listeners = to;
    },
    start(): void {
      reload();
      shared.start();
      changed();
    },
    stop: shared.stop,
    /**
     * Adds a change. It replaces one of the same kind of the same message or thread that is not in flight, but no edit
     * that the server may have stored: its response can be lost.
     */
    add(change: NewChange): void {
      const place = { op_id: newClientId(), queued_at: nextQueuedAt([...entries.values()], Date.now()) };
      const queued: PendingChange =
        change.kind === "edit" ? { ...change, ...place, is_untried: true } : { ...change, ...place };
      for (const other of [...entries.values()]) {
        if (!isSame(other, change) || isInFlight(other)) continue;
        if (other.kind === "edit" && !other.is_untried) continue;
        // The user saw the earlier edit, but the server has not.
        if (queued.kind === "edit" && other.kind === "edit") queued.base = other.base;
        remove(other);
      }
      shared.write(queued);
      changed();
      shared.watchSender();
    },
    /** Removes all changes, because the account can make none any more, or those of a kind. */
    wipe(kind?: PendingChange["kind"]): void {
      for (const change of [...entries.values()]) if (kind === undefined || change.kind === kind) remove(change);
      changed();
    },
    /** Sends without waiting for the backoff, because the server can be reached. */
    flush(): void {
      if (entries.size === 0) return;
      backoffs.clearAll();
      reload();
      changed();
    },
    /** Reads the storage again after the page was suspended, because it missed storage events. */
    reload(): void {
      reload();
      changed();
    },
    /** Applies a change that another tab made to the storage. */
    handleStorage(event: Pick<StorageEvent, "key" | "newValue">): void {
      if (shared.handleStorage(event)) changed();
    },
  };
}

/** Returns whether a change replaces another one. */
const isSame = (a: NewChange, b: NewChange): boolean =>
  a.kind === b.kind && a.thread_id === b.thread_id && seqOf(a) === seqOf(b);

const seqOf = (change: NewChange) => ("seq" in change ? change.seq : null);
