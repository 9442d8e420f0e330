import * as z from "zod/mini";
import { endpoint } from "../http/endpoint.ts";
import { accountData, deletedTexts, user } from "../http/users.ts";
import { atMost, id, isoTime } from "../rules/fields.ts";
import { PUSH_BATCH_MAX, PUSH_TEXT_MAX_CHARACTERS } from "../rules/limits.ts";

/**
 * Lists deleted accounts for which svc-messages has not done its part, and those for which it has done so in the last minute.
 * Every instance of svc-messages polls it.
 */
export const listDeletions = endpoint({
  method: "GET",
  path: "/internal/deletions",
  response: z.object({
    deletions: z.array(z.object({ user_id: id, texts: deletedTexts, is_open: z.boolean() })),
  }),
});

/** Tells svc-users that svc-messages has done its part of a deletion. Idempotent. */
export const finishDeletion = endpoint({
  method: "POST",
  path: "/internal/deletions/:user_id/done",
  params: z.object({ user_id: id }),
  response: z.object({}),
});

/** Returns what svc-users stores about a user. 404 for an unknown user. */
export const getAccountData = endpoint({
  method: "GET",
  path: "/internal/users/:user_id/data",
  params: z.object({ user_id: id }),
  response: accountData,
});

/** Schema of a valid session: its id and its user. */
export const session = z.object({ session_id: id, user });
export type Session = z.infer<typeof session>;

/** Tokens in one request to {@link lookUpSessions}. */
export const LOOKUP_MAX_TOKENS = 200;
const token = z.string().check(atMost(200));

/** Returns the session for each token, or `null`, in the same order. */
export const lookUpSessions = endpoint({
  method: "POST",
  path: "/internal/sessions/lookups",
  body: z.object({ tokens: z.array(token).check(z.maxLength(LOOKUP_MAX_TOKENS)) }),
  response: z.object({ sessions: z.array(z.nullable(session)) }),
});

/**
 * Lists sessions that have ended at `since` or later, in order. Other services poll it, because the faster event on Redis
 * can be lost. `until` is the `since` of the next request; if `has_more` is set, send that one at once.
 */
export const listEndedSessions = endpoint({
  method: "POST",
  path: "/internal/sessions/ended",
  body: z.object({ since: z.optional(isoTime) }),
  response: z.object({
    sessions: z.array(z.object({ session_id: id, user_id: id })),
    until: isoTime,
    has_more: z.boolean(),
  }),
});

/** Schema of the thread of two friends. A caller may cache it until {@link listFriendshipChanges} names the thread. */
export const threadMembers = z.object({
  thread_id: id,
  user_ids: z.tuple([id, id]),
  created_at: isoTime,
  /** One of the two has deleted the account: the thread can be read only. */
  is_closed: z.optional(z.boolean()),
});
export type ThreadMembers = z.infer<typeof threadMembers>;

/** Returns the members of a thread, or `null` if they are not friends now. */
export const getThreadMembers = endpoint({
  method: "GET",
  path: "/internal/threads/:thread_id",
  params: z.object({ thread_id: id }),
  response: z.object({ thread: z.nullable(threadMembers) }),
});

/** Users in one request to {@link listThreadsOfUsers}. */
export const LISTED_MAX_USERS = 10;

/** Lists the members of each thread of any of the users, in no order. */
export const listThreadsOfUsers = endpoint({
  method: "POST",
  path: "/internal/threads/lists",
  body: z.object({ user_ids: z.array(id).check(z.maxLength(LISTED_MAX_USERS)) }),
  response: z.array(threadMembers),
});

/** Schema of a friendship that began or ended. */
export const friendshipChange = z.object({
  thread_id: id,
  user_ids: z.tuple([id, id]),
  /** Whether the two are friends since this change. */
  is_friends: z.boolean(),
  changed_at: isoTime,
});
export type FriendshipChange = z.infer<typeof friendshipChange>;

/**
 * Lists friendships that began or ended at `since` or later, in order, with their state now. Other services poll it,
 * because the faster event on Redis can be lost. `until` and `has_more` as in {@link listEndedSessions}.
 */
export const listFriendshipChanges = endpoint({
  method: "POST",
  path: "/internal/friendships/changed",
  body: z.object({ since: z.optional(isoTime) }),
  response: z.object({ changes: z.array(friendshipChange), until: isoTime, has_more: z.boolean() }),
});

/** Schema of a message whose recipient has no connection. */
export const pushRequest = z.object({
  recipient_user_id: id,
  sending_user_id: id,
  thread_id: id,
  /** Beginning of the message. */
  text: z.string().check(atMost(2 * PUSH_TEXT_MAX_CHARACTERS)),
});
export type PushRequest = z.infer<typeof pushRequest>;

/** Asks svc-users to notify the recipients, in the background. For svc-messages. */
export const requestPushes = endpoint({
  method: "POST",
  path: "/internal/pushes",
  body: z.object({ pushes: z.array(pushRequest).check(z.maxLength(PUSH_BATCH_MAX)) }),
  response: z.object({
    /** False if this server sends no push notifications. */
    is_on: z.boolean(),
  }),
});
