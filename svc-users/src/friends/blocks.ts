import { isDuplicateKey } from "@messageoh/service-kit/mongo";
import { newId } from "../users/user.model.ts";
import { type FormerFriend, type FriendshipModel, type PairRow, pairKey } from "./friendship.model.ts";

/** Blocks between a user and others that a search considers. A user who exceeds it is blocked by thousands. */
const HIDDEN_MAX = 5_000;

/**
 * Records that a user blocks another and ends their friendship, in one update. Returns the document before it, or `null`
 * if there was none.
 * @param former the two users under their present names
 */
export async function blockUser(
  model: FriendshipModel,
  userId: string,
  otherId: string,
  former: readonly FormerFriend[],
): Promise<PairRow | null> {
  const write = () =>
    model
      .findOneAndUpdate(
        { pair_key: pairKey(userId, otherId) },
        {
          $set: { user_ids: [], former },
          $addToSet: { blocked_by: userId, blocked: otherId },
          $unset: { notice_for: 1 },
          $currentDate: { changed_at: true },
          $setOnInsert: { _id: newId(), created_at: new Date() },
        },
        { upsert: true, returnDocument: "before" },
      )
      .lean<PairRow>();
  // Another call may insert the document at the same time; the second attempt updates it.
  return write().catch((error) => (isDuplicateKey(error) ? write() : Promise.reject(error)));
}

/** Removes a user's block of another. A block in the other direction stays. */
export async function unblockUser(model: FriendshipModel, userId: string, otherId: string): Promise<void> {
  await model.updateOne(
    { pair_key: pairKey(userId, otherId), blocked_by: userId },
    { $pull: { blocked_by: userId, blocked: otherId } },
  );
}

/** Returns the ids of the people whom a user has blocked. */
export async function blockedBy(model: FriendshipModel, userId: string, limit: number): Promise<string[]> {
  return othersIn(await model.find({ blocked_by: userId }, { pair_key: 1 }).limit(limit).lean<PairRow[]>(), userId);
}

/**
 * Returns the filter for the users whom a user can find: neither of the two has blocked the other, and they may be added.
 * Otherwise the absence of one person would reveal a block.
 */
export async function findableBy(model: FriendshipModel, userId: string): Promise<object> {
  const either = { $or: [{ blocked: userId }, { blocked_by: userId }] };
  const hidden = othersIn(await model.find(either, { pair_key: 1 }).limit(HIDDEN_MAX).lean<PairRow[]>(), userId);
  return {
    $or: [{ who_may_add: { $ne: "nobody" } }, { _id: userId }],
    ...(hidden.length > 0 && { _id: { $nin: hidden } }),
  };
}

const othersIn = (rows: readonly PairRow[], userId: string): string[] =>
  rows.map(({ pair_key }) => pair_key.split(":").find((id) => id !== userId) ?? userId);
