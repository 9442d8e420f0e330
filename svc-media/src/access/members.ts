import type { Call } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { getThreadMembers, listThreadsOfUsers, type ThreadMembers } from "@messageoh/contracts/users";
import { forbidden, unavailable } from "@messageoh/service-kit/errors";
import { LRUCache } from "lru-cache";

/** Threads, at most about 500 bytes each: 25 MB. */
const KNOWN_MAX = 50_000;
/** Age after which a thread is looked up again. It is still used while svc-users is down. */
const REFRESH_AFTER_MS = 10 * 60_000;

export type Members = ReturnType<typeof createMembers>;

/**
 * Creates a cache of the members of threads, which svc-users owns. svc-users announces each friendship that ends, so an
 * entry is valid until then; the refresh covers an announcement that was missed.
 */
export function createMembers(callUsers: Call) {
  const known = new LRUCache<string, { thread: ThreadMembers | null }>({
    max: KNOWN_MAX,
    ttl: REFRESH_AFTER_MS,
    allowStaleOnFetchRejection: true,
    fetchMethod: (thread_id) => callUsers(getThreadMembers, { params: { thread_id } }),
  });
  const unknown = (cause: unknown): never => {
    throw unavailable(GENERIC_ERROR, cause);
  };

  async function find(threadId: string): Promise<ThreadMembers | null> {
    const found = await known.fetch(threadId).catch(unknown);
    // The cache resolves with nothing if the look-up failed and there is no older result.
    if (!found) return unknown("svc-users did not respond");
    if (!found.thread) known.delete(threadId);
    return found.thread;
  }

  return {
    /** Removes a thread whose friendship has ended or begun. A look-up that runs now is not cached. */
    forget: (threadId: string): void => void known.delete(threadId),

    /** Resolves with whether two friends share this thread and the user is one of them. Rejects with 503 if svc-users fails. */
    async isMember(threadId: string, userId: string): Promise<boolean> {
      const thread = await find(threadId);
      return thread?.user_ids.includes(userId) ?? false;
    },

    /** Resolves with a thread of the user. Rejects with 403 for all others, whether they exist or not. */
    async findForMember(threadId: string, userId: string): Promise<ThreadMembers> {
      const thread = await find(threadId);
      if (!thread?.user_ids.includes(userId)) throw forbidden();
      return thread;
    },

    /** Resolves with the ids of all threads of a user. Rejects with 503 if svc-users fails. */
    async listIds(userId: string): Promise<string[]> {
      const threads = await callUsers(listThreadsOfUsers, { body: { user_ids: [userId] } }).catch(unknown);
      return threads.map(({ thread_id }) => thread_id);
    },
  };
}
