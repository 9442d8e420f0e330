import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { LRUCache } from "lru-cache";
import { sleep } from "../limits/pauses.ts";
import { Busy } from "./busy.ts";

/** Cached threads of all users together, at most about 500 bytes each: 100 MB. */
const THREADS_MAX = 200_000;
/** Time between attempts to refresh a list. */
const REFRESH_RETRY_MS = 10_000;
/**
 * Shortest time between two requests for a list that did not contain somebody. Without it, a user who names strangers
 * keeps svc-users busy with lists of 1,000 friends.
 */
const MISS_INTERVAL_MS = 1_000;
/** Calls of a user that wait for such a request. They all go on in the same moment, in which nobody else is served. */
const WAITING_MAX = 50;

export interface ThreadListCacheOptions {
  /** Resolves with the threads of a user. Rejects if the owner of threads fails. */
  listThreads: (userId: string) => Promise<ThreadMembers[]>;
  /**
   * Age after which a list is refreshed, in milliseconds. It is still used meanwhile, because the owner may be down.
   */
  refreshAfterMs: number;
  /** Returns the time of a monotonic clock, in milliseconds. */
  now?: () => number;
}

/**
 * Caches the lists of threads, which svc-users owns. svc-users announces each friendship that begins or ends, so a
 * cached list is valid until then. The refresh covers an announcement that was missed.
 */
export function createThreadListCache(options: ThreadListCacheOptions) {
  const { listThreads, refreshAfterMs, now = () => performance.now() } = options;
  const cache = new LRUCache<string, { threads: ThreadMembers[]; requestedAt: number; refreshAt: number }>({
    maxSize: THREADS_MAX,
    sizeCalculation: ({ threads }) => threads.length + 1,
  });
  const loading = new Map<string, Promise<ThreadMembers[]>>();
  /** Requests that wait to start. */
  const planned = new Map<string, { call: Promise<ThreadMembers[]>; waiting: number }>();

  /** Requests a user's threads, or joins a request that runs. */
  function load(userId: string): Promise<ThreadMembers[]> {
    const running = loading.get(userId);
    if (running) return running;
    const requestedAt = now();
    const isCurrent = () => loading.get(userId) === call;
    const call: Promise<ThreadMembers[]> = listThreads(userId).then(
      (threads) => {
        // A friendship of the user changed meanwhile, and the response may be older.
        if (!isCurrent()) return load(userId);
        cache.set(userId, { threads, requestedAt, refreshAt: now() + refreshAfterMs });
        loading.delete(userId);
        return threads;
      },
      (error) => {
        if (isCurrent()) loading.delete(userId);
        throw error;
      },
    );
    loading.set(userId, call);
    return call;
  }

  const msUntilReload = (userId: string): number =>
    (cache.peek(userId)?.requestedAt ?? -Infinity) + MISS_INTERVAL_MS - now();

  async function loadLater(userId: string): Promise<ThreadMembers[]> {
    await loading.get(userId)?.catch(() => {});
    await sleep(Math.max(0, msUntilReload(userId)));
    planned.delete(userId);
    return load(userId);
  }

  /**
   * Resolves with a user's threads from a request that starts after this call, because a friendship may have begun
   * since an older one. Calls share the request that starts next. Rejects with {@link Busy} if too many of the user's
   * calls wait for it.
   */
  function reload(userId: string): Promise<ThreadMembers[]> {
    if (!loading.has(userId) && msUntilReload(userId) <= 0) return load(userId);
    const next = planned.get(userId) ?? { call: loadLater(userId), waiting: 0 };
    planned.set(userId, next);
    if (next.waiting >= WAITING_MAX) return Promise.reject(new Busy("Too many unknown friends"));
    next.waiting += 1;
    return next.call;
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

  return {
    load,
    reload,
    findCached,
    /** Resolves with a user's threads. Rejects if they are not cached and the owner of threads fails. */
    find: async (userId: string): Promise<ThreadMembers[]> => findCached(userId) ?? load(userId),
    /** Resolves with the thread of a user that is wanted. Requests the list again if it does not contain one. */
    findThread: async (
      userId: string,
      isWanted: (thread: ThreadMembers) => boolean,
    ): Promise<ThreadMembers | undefined> =>
      findCached(userId)?.find(isWanted) ?? (await reload(userId)).find(isWanted),
    /**
     * Removes the lists of users whose friendship has ended or begun. The results of running requests are not cached.
     */
    forget(userIds: readonly string[]): void {
      for (const userId of userIds) {
        cache.delete(userId);
        loading.delete(userId);
      }
    },
  };
}
