import { coalesce } from "./coalesce.ts";

/**
 * Most calls at once, and most users waiting. Without a limit, thousands of reconnecting clients would delay session
 * lookups in svc-users. Several calls run at once, because some may wait for a frozen process.
 */
const LIMITS = { running: 16, waitingMax: 20_000 };

export interface ThreadListsOptions<Thread> {
  /** Resolves with the threads of any of the users. Rejects if the owner of threads fails. */
  fetchThreads: (userIds: string[]) => Promise<readonly Thread[]>;
  /** Largest number of users of one call. */
  usersMax: number;
}

/**
 * Returns a function that resolves with the threads of a user. While many lists are requested, they share calls: ten
 * lists in one call cost a fraction of ten calls.
 * @returns a function that rejects if the call fails or too many users wait
 */
export function createThreadLists<Thread extends { user_ids: readonly string[] }>({
  fetchThreads,
  usersMax,
}: ThreadListsOptions<Thread>): (userId: string) => Promise<Thread[]> {
  return coalesce(
    async (userIds: string[]) => {
      const threads = await fetchThreads(userIds);
      const listOf = new Map(userIds.map((id) => [id, [] as Thread[]]));
      for (const thread of threads) for (const id of thread.user_ids) listOf.get(id)?.push(thread);
      return userIds.map((id) => listOf.get(id) ?? []);
    },
    { itemsMax: usersMax, ...LIMITS },
  );
}
