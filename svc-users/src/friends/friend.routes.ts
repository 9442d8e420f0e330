import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { badRequest, conflict, notFound } from "@messageoh/service-kit/errors";
import type { Deps, UserRoutes } from "../deps.ts";
import { toUser, type UserRow } from "../users/user.model.ts";
import { createBefriend, type FriendshipRow, otherMember, TooManyFriends } from "./friendship.model.ts";

/** Mounts the calls that list and add friends. */
export function friendRoutes(routes: UserRoutes, { users, friendships, events }: Deps): void {
  const befriend = createBefriend(friendships, users);

  routes.signedIn(contract.listFriends, async ({ session }) => {
    const userId = session.user.id;
    const rows = await friendships.find({ user_ids: userId }).sort({ created_at: -1 }).lean<FriendshipRow[]>();
    const ids = rows.map((row) => otherMember(row, userId));
    const friends = await users.find({ _id: { $in: ids } }, { name: 1, avatar_id: 1 }).lean<UserRow[]>();
    const byId = new Map(friends.map((row) => [row._id, toUser(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  });

  routes.signedIn(contract.addFriend, async ({ session, body, requestId, logger }) => {
    if (body.friend_id === session.user.id) throw badRequest("You cannot add yourself");
    const friend = await users.findById(body.friend_id).lean<UserRow>();
    if (!friend) throw notFound("This user does not exist");
    const friendship = await befriend(session.user.id, friend._id).catch((error) => {
      if (!(error instanceof TooManyFriends)) throw error;
      const isOwn = error.userId === session.user.id;
      throw conflict(isOwn ? `You already have ${FRIENDS_MAX} friends` : "This user already has too many friends");
    });
    logger.info({ thread_id: friendship._id }, "friend added");
    events.friendAdded(friendship, session.user, toUser(friend), requestId);
    return { friend_id: friend._id, thread_id: friendship._id };
  });
}
