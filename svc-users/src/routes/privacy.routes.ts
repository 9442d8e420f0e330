import { BLOCKED_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { badRequest, conflict, notFound } from "@messageoh/service-kit/errors";
import { blockedBy, blockUser, unblockUser } from "../friends/blocks.ts";
import { presentNames } from "../friends/formerFriends.ts";
import { isFriends, type PairRow } from "../friends/friendship.model.ts";
import { toUser, type UserRow } from "../users/user.model.ts";
import type { Deps, UserRoutes } from "./deps.ts";

const PUBLIC_FIELDS = { name: 1, avatar_id: 1 } as const;

/** Mounts the calls with which users decide who reaches them. */
export function privacyRoutes(routes: UserRoutes, { users, friendships, events }: Deps): void {
  routes.signedIn(contract.listBlocked, async ({ session }) => {
    const ids = await blockedBy(friendships, session.user.id, BLOCKED_MAX);
    const rows = await users
      .find({ _id: { $in: ids } }, PUBLIC_FIELDS)
      .sort({ name_key: 1 })
      .lean<UserRow[]>();
    return rows.map(toUser);
  });

  routes.signedIn(contract.block, async ({ session, params, requestId, logger }) => {
    const userId = session.user.id;
    if (params.other_id === userId) throw badRequest("You cannot block yourself");
    if (!(await users.exists({ _id: params.other_id }))) throw notFound("No such user");
    // Simultaneous calls can exceed the limit by their number. It only bounds the list.
    const count = await friendships.countDocuments({ blocked_by: userId }, { limit: BLOCKED_MAX });
    if (count >= BLOCKED_MAX) throw conflict(`You have already blocked ${BLOCKED_MAX} people`);
    const names = await presentNames(users, userId, params.other_id);
    const before = await blockUser(friendships, userId, params.other_id, names);
    logger.info("user blocked");
    if (isFriends(before)) {
      const after = await friendships.findById(before._id).lean<PairRow>();
      if (after) events.friendshipChanged(after, requestId);
    }
    return {};
  });

  routes.signedIn(contract.unblock, async ({ session, params }) => {
    await unblockUser(friendships, session.user.id, params.other_id);
    return {};
  });

  routes.signedIn(contract.getPrivacy, async ({ session }) => {
    const row = await users.findById(session.user.id, { who_may_add: 1 }).lean<UserRow>();
    return { who_may_add: row?.who_may_add ?? "everyone" };
  });

  routes.signedIn(contract.changePrivacy, async ({ session, body }) => {
    await users.updateOne({ _id: session.user.id }, { $set: { who_may_add: body.who_may_add } });
    return { who_may_add: body.who_may_add };
  });
}
