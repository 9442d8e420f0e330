import type { Call } from "@messageoh/contracts/client";
import { getThreadMembers, listUserThreads, type ThreadMembers } from "@messageoh/contracts/users";
import { forbidden } from "@messageoh/service-kit/errors";
import { LRUCache } from "lru-cache";

export type Members = ReturnType<typeof createMembers>;

/** Who is in which thread, as svc-users says. Friendships never change, so an answer is remembered for ever. */
export function createMembers(callUsers: Call) {
  const known = new LRUCache<string, ThreadMembers>({ max: 200_000 });

  /** A thread's two members; null when there is no such thread. */
  async function of(thread_id: string): Promise<ThreadMembers | null> {
    const cached = known.get(thread_id);
    if (cached) return cached;
    const { thread } = await callUsers(getThreadMembers, { params: { thread_id } });
    if (thread) known.set(thread_id, thread);
    return thread;
  }

  return {
    of,

    /** A thread that the user is in. Whether others exist is not told. */
    async threadOf(threadId: string, userId: string): Promise<ThreadMembers> {
      const thread = await of(threadId);
      if (!thread?.user_ids.includes(userId)) throw forbidden();
      return thread;
    },

    /** All threads of a user. */
    async threadsOf(user_id: string): Promise<ThreadMembers[]> {
      const threads = await callUsers(listUserThreads, { params: { user_id } });
      for (const thread of threads) known.set(thread.thread_id, thread);
      return threads;
    },
  };
}

export const friendIn = (thread: ThreadMembers, userId: string): string =>
  thread.user_ids[0] === userId ? thread.user_ids[1] : thread.user_ids[0];
