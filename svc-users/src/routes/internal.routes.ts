import * as contract from "@messageoh/contracts/internal/users";
import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import {
  CHANGES_PAGE,
  changedSince,
  type FriendshipRow,
  isFriends,
  otherMember,
  type PairRow,
  toChange,
  toThreadMembers,
} from "../friends/friendship.model.ts";
import { formerFriendsOf } from "../friends/visibility.ts";
import { ENDED_PAGE } from "../sessions/session.model.ts";
import { toProfile, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

const FIRST_POLL_MS = 60_000;

/** Mounts the calls for other services. The gateway does not route them. */
export function internalRoutes(routes: Routes, { users, friendships, sessions, findSessions }: Deps): void {
  routes.internal(contract.lookUpSessions, async ({ body }) => ({ sessions: await findSessions(body.tokens) }));

  routes.internal(contract.listEndedSessions, async ({ body }) => {
    // A service that polls for the first time may already have cached sessions. The same holds for friendships below.
    const since = new Date(body.since ?? Date.now() - FIRST_POLL_MS);
    const rows = await sessions.endedSince(since);
    const until = rows.at(-1)?.ended_at ?? since;
    return {
      sessions: rows.map(({ ended_id, user_id }) => ({ session_id: ended_id, user_id })),
      until: until.toISOString(),
      has_more: rows.length === ENDED_PAGE,
    };
  });

  routes.internal(contract.getAccountData, async ({ params: { user_id } }) => {
    const row = await users.findById(user_id).lean<UserRow>();
    if (!row) throw notFound();
    const pairs = await friendships.find({ user_ids: user_id }).lean<FriendshipRow[]>();
    const friendIds = pairs.map((pair) => otherMember(pair, user_id));
    const rows = await sessions.list(user_id);
    return {
      account: toProfile(row),
      friends: (await users.find({ _id: { $in: friendIds } }).lean<UserRow[]>()).map(toUser),
      former_friends: await formerFriendsOf(friendships, user_id),
      sessions: rows.map(({ device, created_at, last_used_at }) => ({
        device,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at.toISOString(),
      })),
    };
  });

  routes.internal(contract.listFriendshipChanges, async ({ body }) => {
    const since = new Date(body.since ?? Date.now() - FIRST_POLL_MS);
    const rows = await changedSince(friendships, since);
    const until = rows.at(-1)?.changed_at ?? since;
    return { changes: rows.map(toChange), until: until.toISOString(), has_more: rows.length === CHANGES_PAGE };
  });

  routes.internal(contract.getThreadMembers, async ({ params }) => {
    const row = await friendships.findById(params.thread_id).lean<PairRow>();
    return { thread: isFriends(row) ? toThreadMembers(row) : null };
  });

  routes.internal(contract.listThreadsOfUsers, async ({ body }) => {
    const rows = await friendships
      .find({ user_ids: { $in: body.user_ids } }, { user_ids: 1, created_at: 1, closed_at: 1 })
      .batchSize(FRIENDS_MAX * contract.LISTED_MAX_USERS)
      .lean<FriendshipRow[]>();
    return rows.map(toThreadMembers);
  });
}
