import { FRIEND_NOT_ADDED } from "@messageoh/contracts/errorTexts";
import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { badRequest, conflict, forbidden, notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { createBefriend, TooManyFriends } from "../friends/befriend.ts";
import { endFriendship, type FriendshipRow, flagsOf, otherMember, pairKey } from "../friends/friendship.model.ts";
import { presentProfiles, refuseUnlessOpen } from "../friends/visibility.ts";
import { toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

/** Mounts the calls that list, add, change and remove friends. */
export function friendRoutes(routes: Routes, { users, friendships, events, lists }: Deps): void {
  const befriend = createBefriend(friendships, users);

  routes.signedIn(contract.listFriends, ({ session, isGone }) =>
    lists(session.user.id, isGone, () => listFriends(session.user.id)),
  );

  async function listFriends(userId: string): Promise<contract.ListedFriend[]> {
    const rows = await friendships.find({ user_ids: userId }).sort({ created_at: -1 }).lean<FriendshipRow[]>();
    const ids = rows.map((row) => otherMember(row, userId));
    const friends = await users.find({ _id: { $in: ids } }, { name: 1, avatar_id: 1 }).lean<UserRow[]>();
    const byId = new Map(friends.map((row) => [row._id, toUser(row)]));
    return rows.flatMap((row) => {
      const friend = byId.get(otherMember(row, userId));
      return friend ? [{ ...friend, ...flagsOf(row, userId) }] : [];
    });
  }

  routes.signedIn(contract.addFriend, async ({ session, body, requestId, isGone, logger }) => {
    if (body.friend_id === session.user.id) throw badRequest("You cannot add yourself");
    const friend = await users.findById(body.friend_id).lean<UserRow>();
    if (!friend || friend.deleted_at) throw notFound("This user does not exist");
    await refuseUnlessOpen(friendships, session.user.id, friend);
    const friendship = await befriend(session.user.id, friend._id, isGone).catch((error) => {
      if (!(error instanceof TooManyFriends)) throw error;
      const isOwn = error.userId === session.user.id;
      throw conflict(isOwn ? `You already have ${FRIENDS_MAX} friends` : "This user already has too many friends");
    });
    // A block, or a change of the setting, that came after the first check.
    if (!friendship) throw forbidden(FRIEND_NOT_ADDED);
    logger.info({ thread_id: friendship._id }, "friend added");
    events.friendAdded(friendship, session.user, toUser(friend), requestId);
    return { friend_id: friend._id, thread_id: friendship._id };
  });

  routes.signedIn(contract.unfriend, async ({ session, params, requestId, logger }) => {
    const profiles = await presentProfiles(users, session.user.id, params.other_id);
    const ended = await endFriendship(friendships, session.user.id, params.other_id, profiles);
    if (ended) {
      logger.info({ thread_id: ended._id }, "friendship ended");
      events.friendshipChanged(ended, requestId);
    }
    return {};
  });

  routes.signedIn(contract.changeFriend, async ({ session, params, body, requestId }) => {
    const userId = session.user.id;
    const own = { pair_key: pairKey(userId, params.other_id), user_ids: userId };
    const { is_muted, has_notice } = body;
    if (has_notice === false)
      await friendships.updateOne({ ...own, notice_for: userId }, { $unset: { notice_for: 1 } });
    if (is_muted !== undefined) {
      await friendships.updateOne(own, { [is_muted ? "$addToSet" : "$pull"]: { muted_by: userId } });
    }
    const row = await friendships.findOne(own).lean<FriendshipRow>();
    if (!row) throw notFound("You are not friends");
    events.friendChanged(userId, params.other_id, flagsOf(row, userId), requestId);
    return {};
  });
}
