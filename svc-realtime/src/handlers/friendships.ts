import type { Call } from "@messageoh/contracts/client";
import { listUserThreads, type ThreadMembers } from "@messageoh/contracts/users";
import { LRUCache } from "lru-cache";

/** Cached threads of all users together, at most about 500 bytes each: 100 MB. */
const THREADS_MAX = 200_000;

export type Friendships = ReturnType<typeof createFriendships>;

/**
 * Caches the friendships that svc-users owns. Friendships do not end, so a cached one stays valid; an unknown one is
 * requested again.
 */
export function createFriendships(callUsers: Call) {
  const cache = new LRUCache<string, ThreadMembers[]>({
    maxSize: THREADS_MAX,
    sizeCalculation: ({ length }) => length + 1,
  });
  const loading = new Map<string, Promise<ThreadMembers[]>>();

  async function load(user_id: string): Promise<ThreadMembers[]> {
    const running = loading.get(user_id);
    if (running) return running;
    const call = callUsers(listUserThreads, { params: { user_id } });
    loading.set(user_id, call);
    try {
      const threads = await call;
      cache.set(user_id, threads);
      return threads;
    } finally {
      loading.delete(user_id);
    }
  }

  const between = (threads: readonly ThreadMembers[] | undefined, friendId: string) =>
    threads?.find((thread) => thread.user_ids.includes(friendId));

  return {
    /** Returns the thread of two different users, or `undefined` if they are not friends. */
    async threadBetween(userId: string, friendId: string): Promise<ThreadMembers | undefined> {
      if (userId === friendId) return undefined;
      return between(cache.get(userId), friendId) ?? between(await load(userId), friendId);
    },
  };
}
