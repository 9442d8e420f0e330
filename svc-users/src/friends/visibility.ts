import { DELETED_AVATAR_ID, DELETED_NAME, HIDDEN_AVATAR_ID, HIDDEN_NAME } from "@messageoh/contracts/avatars";
import { FRIEND_NOT_ADDED } from "@messageoh/contracts/errorTexts";
import type { AccountData, User } from "@messageoh/contracts/users";
import { forbidden } from "@messageoh/service-kit/errors";
import type { UserModel, UserRow } from "../users/user.model.ts";
import {
  type FriendshipModel,
  isBlocked,
  isFriends,
  type KnownProfile,
  otherIn,
  type PairRow,
  pairKey,
} from "./friendship.model.ts";

// The rule of what users learn of each other; visibility.test.ts has it as a table, and that of svc-realtime for
// events.
// 1. Friends see each other's current name, avatar and presence.
// 2. Everybody else finds a user in the list of users, unless there is a block between the two or the user accepts no
//    new friends. These two cases look the same everywhere.
// 3. Former friends, and people who block a user whom they find, keep the name and the avatar of that time.

/** Former friends in a download of a user's data. */
const LISTED_MAX = 5_000;
/** Blocks between a user and others that a search considers. A user who exceeds it is blocked by thousands. */
const HIDDEN_MAX = 5_000;

/** Returns whether a user can be found and added by the other user of a pair, without being friends already. */
export const isOpenTo = (pair: PairRow | null, user: Pick<UserRow, "who_may_add" | "deleted_at">): boolean =>
  !isBlocked(pair) && user.who_may_add !== "nobody" && !user.deleted_at;

/**
 * Rejects with 403 unless a user may add, or has added, another one. The text is the same as for any failure, so that
 * it does not reveal a block.
 */
export async function refuseUnlessOpen(friendships: FriendshipModel, userId: string, other: UserRow): Promise<void> {
  const pair = await friendships.findOne({ pair_key: pairKey(userId, other._id) }).lean<PairRow>();
  if (!isFriends(pair) && !isOpenTo(pair, other)) throw forbidden(FRIEND_NOT_ADDED);
}

/** Returns the filter for the users who are open to a user, see {@link isOpenTo}, and for the user. */
export async function findableBy(friendships: FriendshipModel, userId: string): Promise<object> {
  const either = { $or: [{ blocked: userId }, { blocked_by: userId }] };
  const blocks = await friendships.find(either, { pair_key: 1 }).limit(HIDDEN_MAX).lean<PairRow[]>();
  const hidden = blocks.map((pair) => otherIn(pair, userId));
  return {
    $or: [{ who_may_add: { $ne: "nobody" } }, { _id: userId }],
    deleted_at: { $exists: false },
    ...(hidden.length > 0 && { _id: { $nin: hidden } }),
  };
}

/** Returns users as they are now, to be stored with the end of their friendship. */
export async function presentProfiles(users: UserModel, ...userIds: string[]): Promise<KnownProfile[]> {
  const rows = await users.find({ _id: { $in: userIds } }, { name: 1, avatar_id: 1 }).lean<UserRow[]>();
  return rows.map(({ _id, name, avatar_id }) => ({ user_id: _id, name, avatar_id }));
}

/** Returns whether a user is a friend of the other user of a pair, or was one, or was found and blocked. */
export const isKnown = (pair: PairRow | null, userId: string): boolean =>
  isFriends(pair) || (pair?.former?.some(({ user_id }) => user_id === userId) ?? false);

/** Returns a user as the other user of a pair knows them who is no friend now. */
export function knownProfile(pair: PairRow, userId: string): User {
  const known = pair.former?.find(({ user_id }) => user_id === userId);
  return { id: userId, name: known?.name ?? HIDDEN_NAME, avatar_id: known?.avatar_id ?? HIDDEN_AVATAR_ID };
}

/** Returns the people whose friendship with a user has ended. A pair that both blocked may be among them. */
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

/** Removes the profile of a deleted account from what others know, and whom the user has blocked or muted. */
export async function forgetUser(friendships: FriendshipModel, userId: string): Promise<void> {
  const own = { arrayFilters: [{ "own.user_id": userId }] };
  const deleted = { "former.$[own].name": DELETED_NAME, "former.$[own].avatar_id": DELETED_AVATAR_ID };
  const change = { $set: deleted, $pull: { muted_by: userId } };
  await friendships.updateMany({ "former.user_id": userId }, change, own);
  // The other user of a pair may have blocked the deleted account.
  const unblock = { $pull: { blocked_by: userId, blocked: { $ne: userId } } };
  await friendships.updateMany({ blocked_by: userId }, unblock);
}
