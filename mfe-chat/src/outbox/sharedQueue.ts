import type { EntryStorage } from "../storage/entryStorage.ts";
import { createBackoffs } from "./backoffs.ts";
import type { TabLock } from "./tabLock.ts";

/** How long another tab may hold the lock, while something waits, before this tab takes it over. */
const TAKE_OVER_MS = 2_000;

interface SharedQueueOptions<Entry> {
  storage: EntryStorage<Entry>;
  lock: TabLock;
  canSend: () => boolean;
  /** Sends what is due. Called when this tab may send, and at the end of a backoff. */
  pump: () => void;
  /** Returns the ids of the entries that wait for the tab that sends. */
  waitingIds: () => Iterable<string>;
}

/**
 * Returns what all queues that a user's tabs share have in common: the stored entries, and the one tab that sends them.
 */
export function createSharedQueue<Entry extends { thread_id: string }>(options: SharedQueueOptions<Entry>) {
  const { storage, lock, canSend, pump, waitingIds } = options;
  const entries = new Map<string, Entry>();
  /** Id of the entry in flight, by thread id. */
  const inFlight = new Map<string, string>();
  const backoffs = createBackoffs(pump);
  /** Ids of entries that the storage did not take, so that their absence there means nothing. */
  const unstored = new Set<string>();
  let isSender = false;
  let isRunning = false;
  let takeOverTimer: ReturnType<typeof setTimeout> | undefined;

  return {
    entries,
    inFlight,
    backoffs,
    isRunning: () => isRunning,
    /** Returns whether this is the tab that sends. */
    isSender: () => isRunning && isSender,
    /** Returns whether an entry of a thread can be sent: one is in flight at a time. */
    isFree: (threadId: string): boolean => !inFlight.has(threadId) && !backoffs.isWaiting(threadId),
    /** Returns whether an entry is lost with the page. */
    hasUnstored: (): boolean => [...entries.keys()].some((id) => unstored.has(id)),
    /** Keeps an entry, and stores it if `isStorable`. */
    write(entry: Entry, isStorable = true): void {
      const id = storage.idOf(entry);
      entries.set(id, entry);
      if (isStorable && storage.write(entry)) unstored.delete(id);
      else unstored.add(id);
    },
    remove(id: string): void {
      entries.delete(id);
      unstored.delete(id);
      storage.remove(id);
    },
    start(): void {
      isRunning = true;
      lock.start((isNowSender) => {
        isSender = isNowSender;
        pump();
      });
    },
    stop(): void {
      isRunning = false;
      isSender = false;
      backoffs.clearAll();
      clearTimeout(takeOverTimer);
      lock.stop();
    },
    /**
     * Takes the lock over soon if what waits now still waits: the tab that holds it may be frozen in the background.
     */
    watchSender(): void {
      clearTimeout(takeOverTimer);
      const waiting = new Set(waitingIds());
      takeOverTimer = setTimeout(() => {
        const isStuck = [...waitingIds()].some((id) => waiting.has(id));
        if (isRunning && !isSender && canSend() && isStuck) lock.takeOver();
      }, TAKE_OVER_MS);
    },
    /** Applies a change that another tab made to the storage. Returns whether the event is one. */
    handleStorage(event: Pick<StorageEvent, "key" | "newValue">): boolean {
      const change = storage.readEvent(event);
      if (!change) return false;
      if (change.entry) entries.set(change.id, change.entry);
      // An entry that another tab deleted while this one began to send it is kept until the server has responded.
      else if (![...inFlight.values()].includes(change.id)) entries.delete(change.id);
      return true;
    },
    /** Reads the storage again, because a suspended page missed its events. */
    reload(isRemovable: (entry: Entry) => boolean): void {
      const kept = new Map(storage.readAll().map((entry) => [storage.idOf(entry), entry]));
      for (const [id, entry] of entries) {
        if (isRemovable(entry) && !kept.has(id) && !unstored.has(id)) entries.delete(id);
      }
      for (const [id, entry] of kept) entries.set(id, entry);
    },
  };
}
