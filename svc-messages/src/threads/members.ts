import type { Call } from "@messageoh/contracts/client";
import { ACCOUNT_DELETED, GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { getThreadMembers, type ThreadMembers } from "@messageoh/contracts/internal/users";
import { atMost } from "@messageoh/service-kit/atMost";
import { Counts } from "@messageoh/service-kit/counts";
import { callFailed, forbidden, tooMany, unavailable } from "@messageoh/service-kit/errors";
import { RunningCalls } from "@messageoh/service-kit/runningCalls";
import { createThreadListCache } from "@messageoh/service-kit/threadListCache";
import { createThreadLists } from "@messageoh/service-kit/threadLists";
import { LRUCache } from "lru-cache";

/** Cached threads, about 450 bytes each: 90 MB. */
const KNOWN_MAX = 200_000;
/** Forgotten threads to remember until earlier lookups have responded. */
const ENDED_MAX = 10_000;
const ENDED_KEEP_MS = 30_000;
/** Age after which an entry is refreshed. It is still used meanwhile, because svc-users may be down. */
const REFRESH_AFTER_MS = 10 * 60_000;
/**
 * Age after which a list is refreshed: longer than several polls of a browser. Its threads are checked when they are
 * read.
 */
const REFRESH_LIST_AFTER_MS = 60 * 60_000;
/** Time between attempts to refresh an entry. */
const REFRESH_RETRY_MS = 10_000;
/** Most lookups at the same time: in all, and for one user, who may invent thread ids. */
const LOOKUPS_MAX = 400;
const USER_LOOKUPS_MAX = 20;

export type Members = ReturnType<typeof createMembers>;

/**
 * Creates a cache of the members of threads, which svc-users owns. svc-users announces each friendship that ends, so an
 * entry is valid until then; the refresh covers an announcement that was missed.
 * @param now returns the time of a monotonic clock, in milliseconds
 */
export function createMembers(callUsers: Call, now = () => performance.now()) {
  const known = new LRUCache<string, { thread: ThreadMembers; refreshAt: number }>(atMost(KNOWN_MAX));
  /** For each thread, the number of calls of `forget` up to its own, which serves as a time. */
  const forgotten = new LRUCache<string, number>({ ...atMost(ENDED_MAX), ttl: ENDED_KEEP_MS });
  let forgets = 0;
  const listThreads = createThreadLists(callUsers);
  const lookups = new RunningCalls<ThreadMembers | null>();
  const lookupsOf = new Counts();

  /** Caches a thread, unless its friendship changed after the lookup began. */
  function remember(thread: ThreadMembers, forgetsBefore: number): void {
    if ((forgotten.get(thread.thread_id) ?? 0) > forgetsBefore) return;
    known.set(thread.thread_id, { thread, refreshAt: now() + REFRESH_AFTER_MS });
  }

  async function fetchMembers(thread_id: string): Promise<ThreadMembers | null> {
    const forgetsBefore = forgets;
    const { thread } = await callUsers(getThreadMembers, { params: { thread_id } }).catch(callFailed);
    if (thread) remember(thread, forgetsBefore);
    else known.delete(thread_id);
    return thread;
  }

  const lookUp = async (threadId: string, userId: string): Promise<ThreadMembers | null> =>
    lookups.join(threadId, () => {
      if (lookups.size >= LOOKUPS_MAX) throw unavailable(GENERIC_ERROR, "too many lookups");
      if (lookupsOf.of(userId) >= USER_LOOKUPS_MAX) throw tooMany("You are opening too many chats at once", 1);
      lookupsOf.add(userId, 1);
      return fetchMembers(threadId).finally(() => lookupsOf.add(userId, -1));
    });

  /**
   * Resolves with a thread, or `null` if it does not exist. A cached one that is old is refreshed meanwhile. Rejects
   * with 503 if svc-users fails.
   */
  async function find(threadId: string, userId: string): Promise<ThreadMembers | null> {
    const entry = known.get(threadId);
    if (!entry) return lookUp(threadId, userId);
    if (entry.refreshAt <= now()) {
      entry.refreshAt = now() + REFRESH_RETRY_MS;
      lookUp(threadId, entry.thread.user_ids[0]).catch(() => {});
    }
    return entry.thread;
  }

  async function findForMember(threadId: string, userId: string): Promise<ThreadMembers> {
    const thread = await find(threadId, userId);
    if (!thread?.user_ids.includes(userId)) throw forbidden();
    return thread;
  }

  async function listOf(user_id: string): Promise<ThreadMembers[]> {
    const forgetsBefore = forgets;
    const threads = await listThreads(user_id).catch(callFailed);
    for (const thread of threads) remember(thread, forgetsBefore);
    return threads;
  }

  const lists = createThreadListCache({ listThreads: listOf, refreshAfterMs: REFRESH_LIST_AFTER_MS, now });

  return {
    find,

    /** Returns whether a thread is cached. If its friendship had changed since the lookup, it would not be. */
    isKnown: (threadId: string): boolean => known.has(threadId),

    /**
     * Removes a thread whose friendship has ended or begun, and the lists of its users. Results of running lookups are
     * not cached.
     */
    forget(threadId: string, userIds: readonly string[] = []): void {
      forgets += 1;
      forgotten.set(threadId, forgets);
      known.delete(threadId);
      lookups.delete(threadId);
      lists.forget(userIds);
    },

    /** Resolves with a thread of the user. Rejects with 403 for any other thread, whether or not it exists. */
    findForMember,

    /** Resolves with a thread of the user that can change. Rejects with 403 also if one of its accounts was deleted. */
    async findOpen(threadId: string, userId: string): Promise<ThreadMembers> {
      const thread = await findForMember(threadId, userId);
      if (thread.is_closed) throw forbidden(ACCOUNT_DELETED);
      return thread;
    },

    /** Resolves with all threads of a user from svc-users. Rejects with 503 if svc-users fails. */
    listOf,

    /**
     * Resolves with the cached threads of a user, in which a change may be missing for a second. Rejects as {@link
     * listOf}.
     */
    listOfCached: lists.find,
  };
}

/** Returns the id of the other member of a thread. */
export const friendIn = (thread: ThreadMembers, userId: string): string =>
  thread.user_ids[0] === userId ? thread.user_ids[1] : thread.user_ids[0];
