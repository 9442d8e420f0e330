import { retryDuplicates } from "@messageoh/service-kit/mongo";
import {
  endFriendship,
  type FriendshipModel,
  type KnownProfile,
  newThreadId,
  type PairRow,
  pairKey,
} from "./friendship.model.ts";

/** Attempts to block a person. Another call may add or block at the same time. */
const ATTEMPTS_MAX = 3;

/**
 * Records that a user blocks another, and ends their friendship in the same update. Returns the document if a
 * friendship has ended, or `null`: a block of somebody else is no change that others may learn of.
 * @param profiles the two users as they are now
 * @param found the other user, if the user finds them without being friends and does not know them
 */
export async function blockUser(
  model: FriendshipModel,
  userId: string,
  otherId: string,
  profiles: readonly KnownProfile[],
  found?: KnownProfile,
): Promise<PairRow | null> {
  const block = { blocked_by: userId, blocked: otherId };
  const pair = { pair_key: pairKey(userId, otherId), user_ids: [] };
  return retryDuplicates(ATTEMPTS_MAX, async () => {
    const ended = await endFriendship(model, userId, otherId, profiles, block);
    if (ended) return ended;
    await model.updateOne(
      pair,
      {
        $addToSet: { ...block, ...(found && { former: found }) },
        $setOnInsert: { _id: newThreadId(), created_at: new Date() },
      },
      { upsert: true },
    );
    return null;
  });
}

/** Removes a user's block of another. A block in the other direction stays. */
export async function unblockUser(model: FriendshipModel, userId: string, otherId: string): Promise<void> {
  await model.updateOne(
    { pair_key: pairKey(userId, otherId), blocked_by: userId },
    { $pull: { blocked_by: userId, blocked: otherId } },
  );
}

/** Returns the pairs in which a user has blocked the other. */
export const blockedBy = (model: FriendshipModel, userId: string, limit: number): Promise<PairRow[]> =>
  model.find({ blocked_by: userId }, { pair_key: 1, former: 1 }).limit(limit).lean<PairRow[]>();
