import { USER_LIST_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import type { Routes } from "@messageoh/service-kit/routes";
import { findableBy } from "../friends/visibility.ts";
import { searchNames } from "../users/nameSearch.ts";
import { nameKey, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

const SEARCH_LIMIT = 50;

/** Mounts the list of users and the search for them. */
export function searchRoutes(routes: Routes, { users, friendships, lists }: Deps): void {
  routes.signedIn(contract.listUsers, ({ query: { search, after = "", limit }, session, isGone }) =>
    lists(session.user.id, isGone, async () => {
      const among = await findableBy(friendships, session.user.id);
      const name_key = { $gt: nameKey(after) };
      const rows =
        search === undefined
          ? await users
              .find({ ...among, name_key }, { name: 1, avatar_id: 1 })
              .sort({ name_key: 1 })
              .limit(limit ?? USER_LIST_MAX)
              .lean<UserRow[]>()
          : (await searchNames(users, among, search))
              .filter((row) => row.name_key > name_key.$gt)
              .slice(0, limit ?? SEARCH_LIMIT);
      return rows.map(toUser);
    }),
  );
}
