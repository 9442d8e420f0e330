import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { badRequest, conflict, notFound } from "@messageoh/service-kit/errors";
import type { Deps, UserRoutes } from "../deps.ts";
import { toUser, type UserRow } from "../users/user.model.ts";
import { befriend, type FriendshipRow, otherMember, pairKey } from "./friendship.model.ts";

/** Mounts the calls that list and add friends. */
export function friendRoutes(routes: UserRoutes, { users, friendships, events }: Deps): void {
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
    await refuseIfFull(session.user.id, friend._id);
    const friendship = await befriend(friendships, session.user.id, friend._id);
    logger.info({ thread_id: friendship._id }, "friend added");
    events.friendAdded(friendship, session.user, toUser(friend), requestId);
    return { friend_id: friend._id, thread_id: friendship._id };
  });

  /**
   * Rejects with 409 if one of the two has {@link FRIENDS_MAX} friends, unless they are friends already. Requests that run
   * at the same time do not see each other, so they can exceed the limit by their number. The limit only bounds the size
   * of lists, so this is not locked.
   */
  async function refuseIfFull(userId: string, friendId: string): Promise<void> {
    const countOf = (id: string) => friendships.countDocuments({ user_ids: id }, { limit: FRIENDS_MAX });
    const [own, theirs] = await Promise.all([countOf(userId), countOf(friendId)]);
    if (own < FRIENDS_MAX && theirs < FRIENDS_MAX) return;
    if (await friendships.exists({ pair_key: pairKey(userId, friendId) })) return;
    throw conflict(
      own < FRIENDS_MAX ? "This user already has too many friends" : `You already have ${FRIENDS_MAX} friends`,
    );
  }
}
