import * as contract from "@messageoh/contracts/previousRelease/users";
import type { Routes } from "@messageoh/service-kit/routes";
import { changedSince, toChange } from "../friends/friendship.model.ts";
import type { Deps } from "../routes/deps.ts";
import { CHANGES_PAGE, sinceOf } from "../routes/internal.routes.ts";

/** Mounts the calls of services of the previous release, which poll two lists of changes. */
export function previousReleaseRoutes(routes: Routes, { friendships, sessions }: Deps): void {
  routes.internal(contract.listEndedSessions, async ({ body }) => {
    const since = await sinceOf(body, friendships);
    const rows = await sessions.endedSince(since, CHANGES_PAGE);
    return {
      sessions: rows.map(({ ended_id, user_id }) => ({ session_id: ended_id, user_id })),
      until: (rows.at(-1)?.ended_at ?? since).toISOString(),
      has_more: rows.length === CHANGES_PAGE,
    };
  });

  routes.internal(contract.listFriendshipChanges, async ({ body }) => {
    const since = await sinceOf(body, friendships);
    const rows = await changedSince(friendships, since, CHANGES_PAGE);
    const until = rows.at(-1)?.changed_at ?? since;
    return { changes: rows.map(toChange), until: until.toISOString(), has_more: rows.length === CHANGES_PAGE };
  });
}
