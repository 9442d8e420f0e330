import type { Call } from "@messageoh/contracts/client";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { Busy } from "@messageoh/service-kit/busy";
import { callFailed, forbidden, tooMany } from "@messageoh/service-kit/errors";
import { createThreadListCache } from "@messageoh/service-kit/threadListCache";
import { createThreadLists } from "@messageoh/service-kit/threadLists";

/** Age at which a list is refreshed, in milliseconds. It bounds how long a missed end of a friendship has no effect. */
const REFRESH_AFTER_MS = 10 * 60_000;

export type Members = ReturnType<typeof createMembers>;

/** Creates the access to the threads of users, which svc-users owns. All but `forget` reject with 503 if it fails. */
export function createMembers(callUsers: Call) {
  const fetchThreads = createThreadLists(callUsers);
  const listThreads = (userId: string) => fetchThreads(userId).catch(callFailed);
  const lists = createThreadListCache({ listThreads, refreshAfterMs: REFRESH_AFTER_MS });

  const find = (threadId: string, userId: string): Promise<ThreadMembers | undefined> =>
    lists
      .findThread(userId, ({ thread_id }) => thread_id === threadId)
      .catch((error) => {
        throw error instanceof Busy ? tooMany("You are loading too fast", 1) : error;
      });

  return {
    /** Removes what is cached about users whose friendship has ended or begun. */
    forget: lists.forget,

    /** Resolves with whether two friends share this thread and the user is one of them. */
    isMember: async (threadId: string, userId: string): Promise<boolean> =>
      (await find(threadId, userId)) !== undefined,

    /** Resolves with a thread of the user. Rejects with 403 for all others, whether they exist or not. */
    async findForMember(threadId: string, userId: string): Promise<ThreadMembers> {
      const thread = await find(threadId, userId);
      if (!thread) throw forbidden();
      return thread;
    },

    /** Resolves with the ids of all threads of a user. */
    listIds: async (userId: string): Promise<string[]> => (await lists.load(userId)).map(({ thread_id }) => thread_id),
  };
}
