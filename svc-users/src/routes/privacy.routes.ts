import { BLOCKED_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { badRequest, conflict, notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { blockedBy, blockUser, unblockUser } from "../friends/blocks.ts";
import { otherIn, type PairRow, pairKey } from "../friends/friendship.model.ts";
import { isKnown, isOpenTo, knownProfile, presentProfiles } from "../friends/visibility.ts";
import { nameKey, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

/** Mounts the calls with which users decide who reaches them. */
export function privacyRoutes(routes: Routes, { users, friendships, events, lists }: Deps): void {
  routes.signedIn(contract.listBlocked, ({ session: { user }, isGone }) =>
    lists(user.id, isGone, async () => {
      const pairs = await blockedBy(friendships, user.id, BLOCKED_MAX);
      const people = pairs.map((pair) => knownProfile(pair, otherIn(pair, user.id)));
      return people.sort((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1));
    }),
  );

  routes.signedIn(contract.block, async ({ session, params, requestId, logger }) => {
    const [userId, otherId] = [session.user.id, params.other_id];
    if (otherId === userId) throw badRequest("You cannot block yourself");
    const other = await users.findById(otherId).lean<UserRow>();
    const pair = await friendships.findOne({ pair_key: pairKey(userId, otherId) }).lean<PairRow>();
    if (!other || (other.deleted_at && !isKnown(pair, otherId))) throw notFound("No such user");
    // Simultaneous calls can exceed the limit by their number. It only bounds the list.
    const others = { blocked_by: userId, pair_key: { $ne: pairKey(userId, otherId) } };
    const count = await friendships.countDocuments(others, { limit: BLOCKED_MAX });
    if (count >= BLOCKED_MAX) throw conflict(`You have already blocked ${BLOCKED_MAX} people`);
    const profiles = await presentProfiles(users, userId, otherId);
    const isNew = !isKnown(pair, otherId) && isOpenTo(pair, other);
    const found = isNew ? profiles.find(({ user_id }) => user_id === otherId) : undefined;
    const ended = await blockUser(friendships, userId, otherId, profiles, found);
    logger.info("user blocked");
    if (ended) events.friendshipChanged(ended, requestId);
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
