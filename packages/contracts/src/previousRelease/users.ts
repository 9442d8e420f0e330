// Calls of other services of the previous release. They are served for one release, so that a rolling upgrade needs no
// break.
import * as v from "valibot";
import { endpoint } from "../http/endpoint.ts";
import { friendshipChange } from "../internal/users.ts";
import { id, isoTime } from "../rules/fields.ts";

/** Lists sessions that have ended at `since` or later, in order. */
export const listEndedSessions = endpoint({
  method: "POST",
  path: "/internal/sessions/ended",
  body: v.object({ since: v.optional(isoTime) }),
  response: v.object({
    sessions: v.array(v.object({ session_id: id, user_id: id })),
    until: isoTime,
    has_more: v.boolean(),
  }),
});

/** Lists friendships that began or ended at `since` or later, in order, with their state now. */
export const listFriendshipChanges = endpoint({
  method: "POST",
  path: "/internal/friendships/changed",
  body: v.object({ since: v.optional(isoTime) }),
  response: v.object({ changes: v.array(friendshipChange), until: isoTime, has_more: v.boolean() }),
});
