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

  const ownKeys = (): string[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
      key.startsWith(prefix),
    );

  return {
    of: (threadId: string): string => attempt(() => storage.getItem(prefix + threadId)) ?? "",
    /** The threads that have one. */
    threadIds: (): string[] => attempt(() => ownKeys().map((key) => key.slice(prefix.length))) ?? [],
    save(threadId: string, text: string): void {
      attempt(() => (text === "" ? storage.removeItem(prefix + threadId) : storage.setItem(prefix + threadId, text)));
    },
    /** Somebody else may sit here next. */
    wipe(): void {
      attempt(() => {
        for (const key of ownKeys()) storage.removeItem(key);
      });
    },
  };
}
