import type { Call } from "@messageoh/contracts/client";
import { LISTED_MAX_USERS, listThreadsOfUsers, type ThreadMembers } from "@messageoh/contracts/internal/users";
import { combineCalls } from "./combineCalls.ts";

/**
 * Most users of one call, most calls at once, and most users waiting. Without a limit, thousands of reconnecting
 * clients would delay session lookups in svc-users. Several calls run at once, because some may wait for a frozen
 * process.
 */
const LIMITS = { itemsMax: LISTED_MAX_USERS, running: 16, waitingMax: 20_000 };

/**
 * Returns a function that resolves with the threads of a user from svc-users. While many lists are requested, they
 * share calls: ten lists in one call cost a fraction of ten calls.
 * @returns a function that rejects if the call fails or too many users wait
 */
export const createThreadLists = (callUsers: Call): ((userId: string) => Promise<ThreadMembers[]>) =>
  combineCalls(async (user_ids: string[]) => {
    const threads = await callUsers(listThreadsOfUsers, { body: { user_ids } });
    const listOf = new Map(user_ids.map((id) => [id, [] as ThreadMembers[]]));
    for (const thread of threads) for (const id of thread.user_ids) listOf.get(id)?.push(thread);
    return user_ids.map((id) => listOf.get(id) ?? []);
  }, LIMITS);
