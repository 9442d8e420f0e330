import { USER_LIST_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import { findableBy } from "../friends/visibility.ts";
import { nameKey, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps, UserRoutes } from "./deps.ts";

const SEARCH_LIMIT = 50;
const USER_FIELDS = { name: 1, avatar_id: 1 } as const;
/** Limits of searches, which compare the text with every name. One at a time leaves the database to everyone else. */
const SEARCHES = { working: 1, begun: 1, waitingPerKey: 20, pauseFactor: 4 };

/** Mounts the list of users and the search for them. */
export function searchRoutes(routes: UserRoutes, { users, friendships }: Deps): void {
  const searches = createFairQueue(SEARCHES);

  routes.signedIn(contract.listUsers, ({ query, session, isGone }) =>
    searches(session.user.id, isGone, () => listUsers(session.user.id, query)),
  );

  async function listUsers(
    userId: string,
    {
      search,
      after,
      limit = search === undefined ? USER_LIST_MAX : SEARCH_LIMIT,
    }: { search?: string; after?: string; limit?: number },
  ): Promise<contract.User[]> {
    const filter = {
      ...(await findableBy(friendships, userId)),
      ...(search !== undefined && { name_key: new RegExp(escapeRegExp(nameKey(search))) }),
      ...(after !== undefined && { $and: [{ name_key: { $gt: nameKey(after) } }] }),
    };
    const rows = await users.find(filter, USER_FIELDS).sort({ name_key: 1 }).limit(limit).lean<UserRow[]>();
    return rows.map(toUser);
  }
}
