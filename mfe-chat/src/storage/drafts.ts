import type { KeyValueStorage } from "../outbox/outboxStorage.ts";

export type Drafts = ReturnType<typeof createDrafts>;

/** Returns the storage of unsent drafts per user and thread. */
export function createDrafts(userId: string, storage: KeyValueStorage) {
  const prefix = `messageoh:draft:${userId}:`;

  /** Drafts are lost if the browser forbids storage or it is full; nothing else depends on it. */
  function attempt<Result>(act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      console.warn("Drafts could not be stored", error);
      return undefined;
    }
  }

  const ownKeys = (): string[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
      key.startsWith(prefix),
    );

  return {
    of: (threadId: string): string => attempt(() => storage.getItem(prefix + threadId)) ?? "",
    /** Returns the ids of the threads that have a draft. */
    threadIds: (): string[] => attempt(() => ownKeys().map((key) => key.slice(prefix.length))) ?? [],
    save(threadId: string, text: string): void {
      attempt(() => (text === "" ? storage.removeItem(prefix + threadId) : storage.setItem(prefix + threadId, text)));
    },
    /** Removes all drafts of the user, because another person may use this browser next. */
    wipe(): void {
      attempt(() => {
        for (const key of ownKeys()) storage.removeItem(key);
      });
    },
  };
}
