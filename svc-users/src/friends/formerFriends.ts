import { DELETED_NAME } from "@messageoh/contracts/avatars";
import type { AccountData } from "@messageoh/contracts/users";
import type { UserModel, UserRow } from "../users/user.model.ts";
import type { FormerFriend, FriendshipModel, PairRow } from "./friendship.model.ts";

/** Former friends in a download of a user's data. */
const LISTED_MAX = 5_000;

/**
 * Returns users under their present names, to be stored with the end of their friendship: a former friend does not learn
 * of later names, and a download must not tell an end from a block.
 */
export async function presentNames(users: UserModel, ...userIds: string[]): Promise<FormerFriend[]> {
  const rows = await users.find({ _id: { $in: userIds } }, { name: 1 }).lean<UserRow[]>();
  return rows.map(({ _id, name }) => ({ user_id: _id, name }));
}

/** Returns the people whose friendship with a user has ended, and those who have a block between them and the user. */
export async function formerFriendsOf(
  friendships: FriendshipModel,
  userId: string,
): Promise<NonNullable<AccountData["former_friends"]>> {
  const rows = await friendships
    .find({ "former.user_id": userId, user_ids: [] }, { former: 1 })
    .limit(LISTED_MAX)
    .lean<PairRow[]>();
  return rows.flatMap(({ _id, former = [] }) =>
    former
      .filter(({ user_id }) => user_id !== userId)
      .map(({ user_id, name }) => ({ id: user_id, name, thread_id: _id })),
  );
}

/** Removes the name of a deleted account from the friendships that ended before. */
export async function forgetName(friendships: FriendshipModel, userId: string): Promise<void> {
  const own = { arrayFilters: [{ "own.user_id": userId }] };
  await friendships.updateMany({ "former.user_id": userId }, { $set: { "former.$[own].name": DELETED_NAME } }, own);
}
