import { type KeyValueStorage, storedUnder } from "./browserStorage.ts";

export type Drafts = ReturnType<typeof createDrafts>;

/** Returns the storage of unsent drafts per user and thread. */
export function createDrafts(userId: string, storage: KeyValueStorage) {
  const drafts = storedUnder(`messageoh:draft:${userId}:`, storage, "Drafts");
  const revs = storedUnder(`messageoh:draft-rev:${userId}:`, storage, "Drafts");
  /** Drafts that the storage did not take because it is full. They last until the page is closed. */
  const unstored = new Map<string, string>();
  return {
    of: (threadId: string): string => unstored.get(threadId) ?? drafts.get(threadId) ?? "",
    /** Returns the ids of the threads that have a draft of more than blanks. */
    threadIds: () => drafts.keys().filter((threadId) => drafts.get(threadId)?.trim()),
    save(threadId: string, text: string): void {
      unstored.delete(threadId);
      if (text === "") drafts.remove(threadId);
      else if (!drafts.set(threadId, text)) unstored.set(threadId, text);
    },
    /** Returns the newest `rev` of the server that this device has shown or saved; 0 if there is none. */
    rev: (threadId: string): number => Number(revs.get(threadId)),
    saveRev: (threadId: string, rev: number): void => void revs.set(threadId, String(rev)),
    /** Removes all drafts of the user, because another person may use this browser next. */
    wipe(): void {
      unstored.clear();
      for (const threadId of drafts.keys()) drafts.remove(threadId);
      for (const threadId of revs.keys()) revs.remove(threadId);
    },
  };
}
