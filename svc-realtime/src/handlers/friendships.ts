import type { Call } from "@messageoh/contracts/client";
import { BUSY } from "@messageoh/contracts/errorTexts";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { Busy } from "@messageoh/service-kit/busy";
import { createThreadListCache } from "@messageoh/service-kit/threadListCache";
import { createThreadLists } from "@messageoh/service-kit/threadLists";
import { Refusal } from "../refusal.ts";

/**
 * Age at which a list is refreshed, in milliseconds. It bounds how long events pass between former friends if the end
 * was missed.
 */
const REFRESH_AFTER_MS = 10 * 60_000;

export type Friendships = ReturnType<typeof createFriendships>;

/**
 * Caches the friendships that svc-users owns. If one is unknown, the user's list is requested again, at most once a
 * second.
 * @param now returns the time of a monotonic clock, in milliseconds
 */
export function createFriendships(callUsers: Call, now = () => performance.now()) {
  const listThreads = createThreadLists(callUsers);
  const lists = createThreadListCache({ listThreads, refreshAfterMs: REFRESH_AFTER_MS, now });
  const { findCached, load } = lists;

  /**
   * Finds a thread of a user. A user who names too many strangers is refused, which also slows the user down.
   * @param userId the user of the session: the owner of the list that is requested, by whom strangers are counted
   */
  const findThread: typeof lists.findThread = (userId, isWanted) =>
    lists.findThread(userId, isWanted).catch((error: unknown) => {
      throw error instanceof Busy ? new Refusal(BUSY, true) : error;
    });

  return {
    /** Resolves when a user's threads are cached, or returns `undefined` if they are. Rejects if svc-users fails. */
    whenCached: (userId: string): Promise<unknown> | undefined => (findCached(userId) ? undefined : load(userId)),

    /** Returns the thread of a user with a friend, or `undefined` if they are not friends. */
    async threadBetween(userId: string, friendId: string): Promise<ThreadMembers | undefined> {
      if (userId === friendId) return undefined;
      return findThread(userId, ({ user_ids }) => user_ids.includes(friendId));
    },

    /** Returns the thread with an id, or `undefined` if the user has no friend in it. */
    threadOf: (userId: string, threadId: string): Promise<ThreadMembers | undefined> =>
      findThread(userId, ({ thread_id }) => thread_id === threadId),

    /** Removes what is cached about users whose friendship has ended or begun. */
    forget: lists.forget,
  };
}
