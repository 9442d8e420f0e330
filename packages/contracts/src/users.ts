import * as z from "zod/mini";
import { avatarId } from "./avatars.ts";
import { endpoint } from "./endpoint.ts";
import { id, isoTime, password, queryNumber, searchText, userName } from "./fields.ts";
import { USER_LIST_MAX } from "./limits.ts";

/** A user as others see it; a friend has the same form. `avatar_id` stays open so that an older client survives a new animal. */
export const user = z.object({ id, name: z.string(), avatar_id: z.string() });
export type User = z.infer<typeof user>;
export type Friend = User;

/** The cookie that proves who one is: an opaque random token. */
export const SESSION_COOKIE = "messageoh_session";
/** Its name behind https: a browser takes it from this very host over https only, so no other site can plant one. */
export const SECURE_SESSION_COOKIE = "__Host-messageoh_session";

/** The name of the cookie that counts, by the scheme that the browser used (`x-forwarded-proto`). */
export const sessionCookieName = (scheme: string | string[] | undefined): string =>
  scheme === "https" ? SECURE_SESSION_COOKIE : SESSION_COOKIE;

const userParams = z.object({ user_id: id });

/** Starts a session: the answer carries the cookie. */
export const register = endpoint({
  method: "POST",
  path: "/users",
  body: z.object({ name: userName, password, avatar_id: avatarId }),
  answer: z.object({ id }),
});

/** A password as somebody remembers it: whether it is right is not a question of its form. */
const givenPassword = z
  .string("Password must be a text")
  .check(z.minLength(1, "Password is required"), z.maxLength(1000));

/** Starts a session. A wrong name and a wrong password get the same answer. */
export const logIn = endpoint({
  method: "POST",
  path: "/login",
  body: z.object({
    name: z.string("Username must be a text").check(z.trim(), z.minLength(1, "Username is required"), z.maxLength(200)),
    password: givenPassword,
  }),
  answer: user,
});

/** Ends the session that asks. */
export const logOut = endpoint({ method: "POST", path: "/logout", answer: z.object({}) });

/** One of a user's sessions, as that user sees it. Its id says nothing of the token. */
export const sessionInfo = z.object({
  id,
  /** Such as "Firefox on Windows". */
  device: z.string(),
  created_at: isoTime,
  /** Right to a few minutes. */
  last_used_at: isoTime,
  is_current: z.boolean(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/** The last used first. */
export const listSessions = endpoint({
  method: "GET",
  path: "/sessions/:user_id",
  params: userParams,
  answer: z.array(sessionInfo),
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id/:session_id",
  params: z.object({ user_id: id, session_id: id }),
  answer: z.object({}),
});

/** Ends all of a user's sessions, the one that asks as well. */
export const endSessions = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id",
  params: userParams,
  answer: z.object({}),
});

/** Ends all other sessions. A wrong old password is answered 403, as the session itself is right. */
export const changePassword = endpoint({
  method: "POST",
  path: "/users/:user_id/password",
  params: userParams,
  body: z.object({ old_password: givenPassword, new_password: password }),
  answer: z.object({}),
});

export const getUser = endpoint({ method: "GET", path: "/users/:user_id", params: userParams, answer: user });

export const changeAvatar = endpoint({
  method: "PUT",
  path: "/users/:user_id",
  params: userParams,
  body: z.object({ avatar_id: avatarId }),
  answer: user,
});

/** By name. `after` asks for the users whose names follow this one. */
export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  query: z.object({
    search: z.optional(searchText),
    limit: z.optional(queryNumber(1, USER_LIST_MAX)),
    after: z.optional(searchText),
  }),
  answer: z.array(user),
});

export const listFriends = endpoint({
  method: "GET",
  path: "/friends/:user_id",
  params: userParams,
  answer: z.array(user),
});

/** Idempotent, also when both people add each other at once: there is one friendship per pair, and its id is the thread's. */
export const addFriend = endpoint({
  method: "POST",
  path: "/add_friend",
  body: z.object({ user_id: id, friend_id: id }),
  answer: z.object({ friend_id: id, thread_id: id }),
});

/** Who is behind a session, as svc-users tells the other services. */
export const session = z.object({ session_id: id, user });
export type Session = z.infer<typeof session>;

export const lookUpSession = endpoint({
  method: "POST",
  path: "/internal/sessions/lookup",
  body: z.object({ token: z.string().check(z.maxLength(200)) }),
  answer: z.object({ session: z.nullable(session) }),
});

/**
 * Sessions that ended since a moment, in order. The other services poll it: an event on the bus tells sooner, but may be
 * lost. `until` is the `since` of the next poll; with `has_more` that is due at once.
 */
export const listEndedSessions = endpoint({
  method: "POST",
  path: "/internal/sessions/ended",
  body: z.object({ since: z.optional(isoTime) }),
  answer: z.object({
    sessions: z.array(z.object({ session_id: id, user_id: id })),
    until: isoTime,
    has_more: z.boolean(),
  }),
});

/** A thread's two members. Friendships never change, so a caller may remember the answer for ever. */
export const threadMembers = z.object({ thread_id: id, user_ids: z.tuple([id, id]), created_at: isoTime });
export type ThreadMembers = z.infer<typeof threadMembers>;

export const getThreadMembers = endpoint({
  method: "GET",
  path: "/internal/threads/:thread_id",
  params: z.object({ thread_id: id }),
  answer: z.object({ thread: z.nullable(threadMembers) }),
});

export const listUserThreads = endpoint({
  method: "GET",
  path: "/internal/users/:user_id/threads",
  params: userParams,
  answer: z.array(threadMembers),
});
