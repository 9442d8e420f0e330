import * as v from "valibot";
import { endpoint } from "../http/endpoint.ts";
import { accountData, deletedTexts, user } from "../http/users.ts";
import { atMost, id, isoTime } from "../rules/fields.ts";
import { PUSH_BATCH_MAX, PUSH_TEXT_MAX_CHARACTERS } from "../rules/limits.ts";

/**
 * Lists deleted accounts for which svc-messages has not done its part, and those for which it has done so in the last
 * minute. Every instance of svc-messages polls it.
 */
export const listDeletions = endpoint({
  method: "GET",
  path: "/internal/deletions",
  response: v.object({
    deletions: v.array(v.object({ user_id: id, texts: deletedTexts, is_open: v.boolean() })),
  }),
});

/** Tells svc-users that svc-messages has done its part of a deletion. Idempotent. */
export const finishDeletion = endpoint({
  method: "POST",
  path: "/internal/deletions/:user_id/done",
  params: v.object({ user_id: id }),
  response: v.object({}),
});

/** Returns what svc-users stores about a user. 404 for an unknown user. */
export const getAccountData = endpoint({
  method: "GET",
  path: "/internal/users/:user_id/data",
  params: v.object({ user_id: id }),
  response: accountData,
});

/** Schema of a valid session: its id and its user. */
export const session = v.object({ session_id: id, user });
export type Session = v.InferOutput<typeof session>;

/** Tokens in one request to {@link lookUpSessions}. */
export const LOOKUP_MAX_TOKENS = 200;
const token = v.pipe(v.string(), ...atMost(200));

/** Returns the session for each token, or `null`, in the same order. */
export const lookUpSessions = endpoint({
  method: "POST",
  path: "/internal/sessions/lookups",
  body: v.object({ tokens: v.pipe(v.array(token), v.maxLength(LOOKUP_MAX_TOKENS)) }),
  response: v.object({ sessions: v.array(v.nullable(session)) }),
});

/** Schema of the thread of two friends. A caller may cache it until {@link listAccessChanges} names the thread. */
export const threadMembers = v.object({
  thread_id: id,
  user_ids: v.tuple([id, id]),
  created_at: isoTime,
  /** One of the two has deleted the account: the thread can be read only. */
  is_closed: v.optional(v.boolean()),
});
export type ThreadMembers = v.InferOutput<typeof threadMembers>;

/** Returns the members of a thread, or `null` if they are not friends now. */
export const getThreadMembers = endpoint({
  method: "GET",
  path: "/internal/threads/:thread_id",
  params: v.object({ thread_id: id }),
  response: v.object({ thread: v.nullable(threadMembers) }),
});

/** Users in one request to {@link listThreadsOfUsers}. */
export const LISTED_MAX_USERS = 10;

/** Lists the members of each thread of any of the users, in no order. */
export const listThreadsOfUsers = endpoint({
  method: "POST",
  path: "/internal/threads/lists",
  body: v.object({ user_ids: v.pipe(v.array(id), v.maxLength(LISTED_MAX_USERS)) }),
  response: v.array(threadMembers),
});

/** Schema of a friendship that began or ended. */
export const friendshipChange = v.object({
  thread_id: id,
  user_ids: v.tuple([id, id]),
  /** Whether the two are friends since this change. */
  is_friends: v.boolean(),
  changed_at: isoTime,
});
export type FriendshipChange = v.InferOutput<typeof friendshipChange>;

/** Schema of a change of what a user may access, which other services cache. */
export const accessChange = v.variant("type", [
  v.object({ type: v.literal("session_ended"), session_id: id, user_id: id }),
  v.object({ type: v.literal("friendship_changed"), change: friendshipChange }),
]);
export type AccessChange = v.InferOutput<typeof accessChange>;

/**
 * Lists changes at `since` or later, in order, friendships with their state now. Other services poll it, because the
 * faster event on Redis can be lost. `until` is the `since` of the next request; if `has_more` is set, send that one at
 * once.
 */
export const listAccessChanges = endpoint({
  method: "POST",
  path: "/internal/access/changes",
  body: v.object({ since: v.optional(isoTime) }),
  response: v.object({ changes: v.array(accessChange), until: isoTime, has_more: v.boolean() }),
});

/** Schema of a message whose recipient has no connection. */
export const pushRequest = v.object({
  recipient_user_id: id,
  sending_user_id: id,
  thread_id: id,
  /** Beginning of the message. */
  text: v.pipe(v.string(), ...atMost(2 * PUSH_TEXT_MAX_CHARACTERS)),
});
export type PushRequest = v.InferOutput<typeof pushRequest>;

/** Asks svc-users to notify the recipients, in the background. For svc-messages. */
export const requestPushes = endpoint({
  method: "POST",
  path: "/internal/pushes",
  body: v.object({ pushes: v.pipe(v.array(pushRequest), v.maxLength(PUSH_BATCH_MAX)) }),
  response: v.object({
    /** False if this server sends no push notifications. */
    is_on: v.boolean(),
  }),
});
