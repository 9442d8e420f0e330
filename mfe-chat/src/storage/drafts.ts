import type { KeyValueStorage } from "./outboxStorage.ts";

export type Drafts = ReturnType<typeof createDrafts>;

/** What was typed and not sent, per user and thread, over reloads. */
export function createDrafts(userId: string, storage: KeyValueStorage) {
  const prefix = `messageoh:draft:${userId}:`;

  /** A browser that forbids or has no room for storage forgets drafts, and does nothing worse. */
  function attempt<Result>(act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      console.warn("Drafts cannot be kept", error);
      return undefined;
    }
  }

  return {
    of: (threadId: string): string => attempt(() => storage.getItem(prefix + threadId)) ?? "",
    save(threadId: string, text: string): void {
      attempt(() => (text === "" ? storage.removeItem(prefix + threadId) : storage.setItem(prefix + threadId, text)));
    },
    /** Somebody else may sit here next. */
    wipe(): void {
      attempt(() => {
        const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
        for (const key of keys) if (key.startsWith(prefix)) storage.removeItem(key);
      });
    },
  };
}
