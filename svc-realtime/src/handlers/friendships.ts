import type { Call } from "@messageoh/contracts/client";
import { LISTED_MAX_USERS, listThreadsOfUsers, type ThreadMembers } from "@messageoh/contracts/users";
import { createThreadLists } from "@messageoh/service-kit/threadLists";
import { LRUCache } from "lru-cache";

/** Cached threads of all users together, at most about 500 bytes each: 100 MB. */
const THREADS_MAX = 200_000;
/** Age after which a list is refreshed. It is still used meanwhile, because svc-users may be down. */
const REFRESH_AFTER_MS = 10 * 60_000;
/** Time between attempts to refresh a list. */
const REFRESH_RETRY_MS = 10_000;

interface Entry {
  threads: ThreadMembers[];
  refreshAt: number;
}

export type Friendships = ReturnType<typeof createFriendships>;

/**
 * Caches the friendships that svc-users owns. svc-users announces each one that ends, so a cached one is valid until then;
 * an unknown one is requested again. The refresh covers an announcement that was missed.
 * @param now returns the time of a monotonic clock, in milliseconds
 */
export function createFriendships(callUsers: Call, now = () => performance.now()) {
  const cache = new LRUCache<string, Entry>({
    maxSize: THREADS_MAX,
    sizeCalculation: ({ threads }) => threads.length + 1,
  });
  const loading = new Map<string, Promise<ThreadMembers[]>>();
  const listThreads = createThreadLists({
    fetchThreads: (user_ids) => callUsers(listThreadsOfUsers, { body: { user_ids } }),
    usersMax: LISTED_MAX_USERS,
  });

  function load(user_id: string): Promise<ThreadMembers[]> {
    const running = loading.get(user_id);
    if (running) return running;
    const isCurrent = () => loading.get(user_id) === call;
    const call: Promise<ThreadMembers[]> = listThreads(user_id).then(
      (threads) => {
        // A friendship of the user changed meanwhile, and the response may be older.
        if (!isCurrent()) return load(user_id);
        cache.set(user_id, { threads, refreshAt: now() + REFRESH_AFTER_MS });
        loading.delete(user_id);
        return threads;
      },
      (error) => {
        if (isCurrent()) loading.delete(user_id);
        throw error;
      },
    );
    loading.set(user_id, call);
    return call;
  }

  /** Returns a user's cached threads, and starts to refresh them if they are old. */
  function findCached(userId: string): ThreadMembers[] | undefined {
    const entry = cache.get(userId);
    if (entry && entry.refreshAt <= now()) {
      entry.refreshAt = now() + REFRESH_RETRY_MS;
      load(userId).catch(() => {});
    }
    return entry?.threads;
  }

  const between = (threads: readonly ThreadMembers[] | undefined, friendId: string) =>
    threads?.find((thread) => thread.user_ids.includes(friendId));

  return {
    /** Resolves when a user's threads are cached, or returns `undefined` if they are. Rejects if svc-users fails. */
    whenCached: (userId: string): Promise<unknown> | undefined => (findCached(userId) ? undefined : load(userId)),

    /** Returns the thread of two different users, or `undefined` if they are not friends. */
    async threadBetween(userId: string, friendId: string): Promise<ThreadMembers | undefined> {
      if (userId === friendId) return undefined;
      return between(findCached(userId), friendId) ?? between(await load(userId), friendId);
    },

    /** Removes what is cached about users whose friendship has ended or begun again. */
    forget(userIds: readonly string[]): void {
      for (const userId of userIds) {
        cache.delete(userId);
        loading.delete(userId);
      }
    },
  };
}
