import type { ListedFriend } from "@messageoh/contracts/users";
import { newestMessages } from "./limits.ts";
import type { StoredChat, StoredThread } from "./storedChat.ts";
import type { SavedThread } from "./storedThread.ts";

const VERSION = 1;
export const ACCOUNT = "account";
const THREADS = "threads";
const KEY = "current";

interface Account {
  userId: string;
  friends: readonly ListedFriend[];
}

/** Storage for what the chat shows without a network. */
export type Device = ReturnType<typeof createDevice>;

/**
 * Returns the storage of a user in IndexedDB. It rejects if the browser forbids storage or it is full. The database is
 * open only during a call, so that the shell can delete it at any time.
 */
export function createDevice(name: string, userId: string) {
  return {
    /** Returns `null` if nothing is stored, or something of another user. */
    read: () =>
      withDatabase(name, async (database): Promise<StoredChat | null> => {
        const transaction = database.transaction([ACCOUNT, THREADS]);
        const account: Account | undefined = await result(transaction.objectStore(ACCOUNT).get(KEY));
        if (account?.userId !== userId) return null;
        const threads: StoredThread[] = await result(transaction.objectStore(THREADS).getAll());
        return { friends: account.friends, threads };
      }),

    /**
     * Stores the friends and the changed threads, with the stored messages that they lack, and removes all threads that
     * are not in `keptIds`.
     */
    save: (friends: readonly ListedFriend[], changed: readonly SavedThread[], keptIds: ReadonlySet<string>) =>
      change(name, [ACCOUNT, THREADS], async (transaction) => {
        const [accounts, threads] = [transaction.objectStore(ACCOUNT), transaction.objectStore(THREADS)];
        const before: Account | undefined = await result(accounts.get(KEY));
        if (before?.userId !== userId) threads.clear();
        accounts.put({ userId, friends } satisfies Account, KEY);
        for (const id of await result(threads.getAllKeys())) if (!keptIds.has(String(id))) threads.delete(id);
        for (const { sinceChange, hidden, ...thread } of changed) {
          const stored: StoredThread | undefined = await result(threads.get(thread.threadId));
          const isCurrent = stored !== undefined && (stored.knownChange ?? 0) >= sinceChange;
          const kept = isCurrent ? stored.messages.filter(({ seq }) => !hidden.has(seq)) : [];
          const messages = newestMessages(thread.messages, kept);
          threads.put({ ...thread, messages } satisfies StoredThread);
        }
      }),
  };
}

export async function withDatabase<Result>(
  name: string,
  use: (database: IDBDatabase) => Promise<Result>,
): Promise<Result> {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ACCOUNT);
    opening.result.createObjectStore(THREADS, { keyPath: "threadId" });
  };
  const database = await result(opening);
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

/** Changes stores in one transaction. Resolves when the change is stored. */
export const change = (name: string, stores: string[], use: (transaction: IDBTransaction) => void | Promise<void>) =>
  withDatabase(name, async (database) => {
    const transaction = database.transaction(stores, "readwrite");
    const stored = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    // If it is aborted, a request rejects first.
    stored.catch(() => undefined);
    await use(transaction);
    await stored;
  });

export const result = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
