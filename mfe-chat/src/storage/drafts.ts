import { type KeyValueStorage, storedUnder } from "./browserStorage.ts";

export type Drafts = ReturnType<typeof createDrafts>;

/** Returns the storage of unsent drafts per user and thread. */
export function createDrafts(userId: string, storage: KeyValueStorage) {
  const drafts = storedUnder(`messageoh:draft:${userId}:`, storage, "Drafts");
  const revs = storedUnder(`messageoh:draft-rev:${userId}:`, storage, "Drafts");
  return {
    of: (threadId: string): string => drafts.get(threadId) ?? "",
    /** Returns the ids of the threads that have a draft. */
    threadIds: drafts.keys,
    save(threadId: string, text: string): void {
      if (text === "") drafts.remove(threadId);
      else drafts.set(threadId, text);
    },
    /** Returns the newest `rev` of the server that this device has shown or saved; 0 if there is none. */
    rev: (threadId: string): number => Number(revs.get(threadId)),
    saveRev: (threadId: string, rev: number): void => void revs.set(threadId, String(rev)),
    /** Removes all drafts of the user, because another person may use this browser next. */
    wipe(): void {
      for (const threadId of drafts.keys()) drafts.remove(threadId);
      for (const threadId of revs.keys()) revs.remove(threadId);
    },
  };
}
