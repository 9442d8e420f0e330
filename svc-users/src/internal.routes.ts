import * as contract from "@messageoh/contracts/users";
import type { Deps, UserRoutes } from "./deps.ts";
import { type FriendshipRow, toThreadMembers } from "./friendship.model.ts";

/** What other services ask. The gateway routes none of it. */
export function internalRoutes(routes: UserRoutes, { friendships, findSession }: Deps): void {
  routes.internal(contract.lookUpSession, async ({ body }) => ({ session: await findSession(body.token) }));

  routes.internal(contract.getThreadMembers, async ({ params }) => {
    const row = await friendships.findById(params.thread_id).lean<FriendshipRow>();
    return { thread: row && toThreadMembers(row) };
  });

  routes.internal(contract.listUserThreads, async ({ params }) => {
    const rows = await friendships.find({ user_ids: params.user_id }).lean<FriendshipRow[]>();
    return rows.map(toThreadMembers);
  });
}
