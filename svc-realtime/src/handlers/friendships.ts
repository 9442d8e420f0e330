import type { Call } from "@messageoh/contracts/client";
import { LISTED_MAX_USERS, listThreadsOfUsers, type ThreadMembers } from "@messageoh/contracts/users";
import { sleep } from "@messageoh/service-kit/pacing";
import { createThreadLists } from "@messageoh/service-kit/threadLists";
import { LRUCache } from "lru-cache";

/** Cached threads of all users together, at most about 500 bytes each: 100 MB. */
const THREADS_MAX = 200_000;
/** Age after which a list is refreshed. It is still used meanwhile, because svc-users may be down. */
const REFRESH_AFTER_MS = 10 * 60_000;
/** Time between attempts to refresh a list. */
const REFRESH_RETRY_MS = 10_000;

/**
 * Shortest time between two requests for the same list because somebody is not in it. Without it, one user who names
 * non-friends keeps svc-users busy with lists of 1,000 friends.
 */
const MISS_INTERVAL_MS = 1_000;

interface Entry {
  threads: ThreadMembers[];
  requestedAt: number;
  refreshAt: number;
}

export type Friendships = ReturnType<typeof createFriendships>;

/**
 * Caches the friendships that svc-users owns. svc-users announces each one that ends, so a cached one is valid until then;
 * an unknown one is requested again, once a second at most. The refresh covers an announcement that was missed.
 * @param now returns the time of a monotonic clock, in milliseconds
 */
export function createFriendships(callUsers: Call, now = () => performance.now()) {
  const cache = new LRUCache<string, Entry>({
    maxSize: THREADS_MAX,
    sizeCalculation: ({ threads }) => threads.length + 1,
  });
  const loading = new Map<string, Promise<ThreadMembers[]>>();
  /** Requests that have not begun. */
  const planned = new Map<string, Promise<ThreadMembers[]>>();
  const listThreads = createThreadLists({
    fetchThreads: (user_ids) => callUsers(listThreadsOfUsers, { body: { user_ids } }),
    usersMax: LISTED_MAX_USERS,
  });

  function load(user_id: string): Promise<ThreadMembers[]> {
    const running = loading.get(user_id);
    if (running) return running;
    const requestedAt = now();
    const isCurrent = () => loading.get(user_id) === call;
    const call: Promise<ThreadMembers[]> = listThreads(user_id).then(
      (threads) => {
        // A friendship of the user changed meanwhile, and the response may be older.
        if (!isCurrent()) return load(user_id);
        cache.set(user_id, { threads, requestedAt, refreshAt: now() + REFRESH_AFTER_MS });
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

  /**
   * Resolves with a user's threads from a request that begins after this call: somebody who is not in an older response
   * may have become a friend since. Calls share the request that begins next.
   */
  function reload(userId: string): Promise<ThreadMembers[]> {
    const waitMs = () => (cache.peek(userId)?.requestedAt ?? -Infinity) + MISS_INTERVAL_MS - now();
    const running = loading.get(userId);
    if (!running && waitMs() <= 0) return load(userId);
    const call =
      planned.get(userId) ??
      (async () => {
        await running?.catch(() => {});
        await sleep(Math.max(0, waitMs()));
        planned.delete(userId);
        return load(userId);
      })();
    planned.set(userId, call);
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

  const find = async (userId: string, isWanted: (thread: ThreadMembers) => boolean) =>
    findCached(userId)?.find(isWanted) ?? (await reload(userId)).find(isWanted);

  return {
    /** Resolves when a user's threads are cached, or returns `undefined` if they are. Rejects if svc-users fails. */
    whenCached: (userId: string): Promise<unknown> | undefined => (findCached(userId) ? undefined : load(userId)),

    /** Returns the thread of two different users, or `undefined` if they are not friends. */
    async threadBetween(userId: string, friendId: string): Promise<ThreadMembers | undefined> {
      if (userId === friendId) return undefined;
      return find(userId, ({ user_ids }) => user_ids.includes(friendId));
    },

    /** Returns the thread with an id, or `undefined` if the user has no friend in it. */
    threadOf: (userId: string, threadId: string): Promise<ThreadMembers | undefined> =>
      find(userId, ({ thread_id }) => thread_id === threadId),

    /** Removes what is cached about users whose friendship has ended or begun again. */
    forget(userIds: readonly string[]): void {
      for (const userId of userIds) {
        cache.delete(userId);
        loading.delete(userId);
      }
    },
  };
}
