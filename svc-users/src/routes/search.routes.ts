import { USER_LIST_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { escapeRegExp } from "@messageoh/service-kit/mongo";
import type { Routes } from "@messageoh/service-kit/routes";
import { findableBy } from "../friends/visibility.ts";
import { nameKey, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

const SEARCH_LIMIT = 50;
const USER_FIELDS = { name: 1, avatar_id: 1 } as const;
/** Limits of searches, which compare the text with every name: one user at a time. */
const SEARCHES = { working: 1, begun: 1, waitingPerKey: 20, pauseFactor: 4 };
/** Pause after each search, whoever it was for: all of them together use a third of the time of one core. */
const TOGETHER = { working: 1, begun: 1, waitingPerKey: 1, pauseFactor: 2 };

/** Mounts the list of users and the search for them. */
export function searchRoutes(routes: Routes, { users, friendships }: Deps): void {
  const searches = createFairQueue(SEARCHES);
  const together = createFairQueue(TOGETHER);

  routes.signedIn(contract.listUsers, ({ query, session, isGone }) =>
    searches(session.user.id, isGone, () => together("all", isGone, () => listUsers(session.user.id, query))),
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
