import * as contract from "@messageoh/contracts/internal/users";
import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import {
  changedSince,
  type FriendshipModel,
  type FriendshipRow,
  isFriends,
  otherMember,
  type PairRow,
  toChange,
  toThreadMembers,
} from "../friends/friendship.model.ts";
import { formerFriendsOf } from "../friends/visibility.ts";
import { toProfile, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

/** How far back the first poll of a service reaches, in milliseconds: it may already have cached something. */
const FIRST_POLL_MS = 60_000;
/** Changes in one response. */
export const CHANGES_PAGE = 1_000;
/** Returns the time from which a poll lists changes, by the clock of the database, which also sets their times. */
export async function sinceOf({ since }: { since?: string | undefined }, { db }: FriendshipModel): Promise<Date> {
  if (since !== undefined) return new Date(since);
  const { localTime } = await db.getClient().db().command({ hello: 1 });
  return new Date(localTime.getTime() - FIRST_POLL_MS);
}

/** Mounts the calls for other services. The gateway does not route them. */
export function internalRoutes(routes: Routes, { users, friendships, sessions, findSessions }: Deps): void {
  routes.internal(contract.lookUpSessions, async ({ body }) => ({ sessions: await findSessions(body.tokens) }));

  routes.internal(contract.listAccessChanges, async ({ body }) => {
    const since = await sinceOf(body, friendships);
    const ended = await sessions.endedSince(since, CHANGES_PAGE);
    const changed = await changedSince(friendships, since, CHANGES_PAGE);
    const rows: { at: Date; change: contract.AccessChange }[] = [
      ...ended.map(({ ended_at: at, ended_id: session_id, user_id }) => ({
        at,
        change: { type: "session_ended" as const, session_id, user_id },
      })),
      ...changed.map((row) => ({
        at: row.changed_at ?? since,
        change: { type: "friendship_changed" as const, change: toChange(row) },
      })),
    ];
    rows.sort((one, other) => one.at.getTime() - other.at.getTime());
    const page = rows.slice(0, CHANGES_PAGE);
    return {
      changes: page.map(({ change }) => change),
      until: (page.at(-1)?.at ?? since).toISOString(),
      has_more: page.length === CHANGES_PAGE,
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
