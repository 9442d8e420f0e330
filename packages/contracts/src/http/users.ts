import * as z from "zod/mini";
import { atMost, avatarId, id, isoTime, password, queryNumber, searchText, userName } from "../rules/fields.ts";
import { NAME_INPUT_MAX_CHARACTERS, USER_LIST_MAX } from "../rules/limits.ts";
import { endpoint } from "./endpoint.ts";

/**
 * Schema of a user as other users see it. `avatar_id` accepts any text, so that older clients accept users with a new
 * avatar.
 */
export const user = z.object({ id, name: z.string(), avatar_id: z.string() });
export type User = z.infer<typeof user>;
export type Friend = User;

/** Name of the session cookie over HTTP. Its value is an opaque random token. */
export const SESSION_COOKIE = "messageoh_session";
/** Name of the session cookie over HTTPS. Browsers accept it only from this host, so other sites cannot set it. */
export const SECURE_SESSION_COOKIE = "__Host-messageoh_session";

/**
 * Returns the name of the valid session cookie.
 * @param scheme the scheme that the browser used (`x-forwarded-proto`)
 */
export const sessionCookieName = (scheme: string | string[] | undefined): string =>
  scheme === "https" ? SECURE_SESSION_COOKIE : SESSION_COOKIE;

const userParams = z.object({ user_id: id });

/** Creates a user and starts a session; the response sets the cookie. 409 if the name is taken or looks like a taken one. */
export const register = endpoint({
  method: "POST",
  path: "/users",
  body: z.object({ name: userName, password, avatar_id: avatarId }),
  response: z.object({ id }),
});

/** An existing password. It may be older than the rules of {@link password}. */
const givenPassword = z.string("Password must be text").check(atMost(1000), z.minLength(1, "Password is required"));

/** Starts a session. The response to an unknown name is the same as to a wrong password (401). 403 if suspended. */
export const logIn = endpoint({
  method: "POST",
  path: "/login",
  body: z.object({
    name: z
      .string("Username must be text")
      .check(atMost(NAME_INPUT_MAX_CHARACTERS), z.trim(), z.minLength(1, "Username is required")),
    password: givenPassword,
  }),
  response: user,
});

/** Ends the session of the request. */
export const logOut = endpoint({ method: "POST", path: "/logout", response: z.object({}) });

/** Schema of one session in the list of a user's sessions. The id reveals nothing about the token. */
export const sessionInfo = z.object({
  id,
  /** Browser and system, such as "Firefox on Windows". */
  device: z.string(),
  created_at: isoTime,
  /** Updated every few minutes. */
  last_used_at: isoTime,
  /** Whether it is the session of the request. */
  is_current: z.boolean(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/** Lists the user's sessions, most recently used first. */
export const listSessions = endpoint({
  method: "GET",
  path: "/sessions/:user_id",
  params: userParams,
  response: z.array(sessionInfo),
});

/** Ends one of the user's sessions. 404 if it has ended already. */
export const endSession = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id/:session_id",
  params: z.object({ user_id: id, session_id: id }),
  response: z.object({}),
});

/** Ends all sessions of the user, including the session of the request. */
export const endSessions = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id",
  params: userParams,
  response: z.object({}),
});

/** Changes the password and ends all other sessions. 403 if the old password is wrong, because the session is valid. */
export const changePassword = endpoint({
  method: "POST",
  path: "/users/:user_id/password",
  params: userParams,
  body: z.object({ old_password: givenPassword, new_password: password }),
  response: z.object({}),
});

/** Returns the user of the session. */
export const getUser = endpoint({ method: "GET", path: "/users/:user_id", params: userParams, response: user });

/** Changes the user's avatar and returns the user. */
export const changeAvatar = endpoint({
  method: "PUT",
  path: "/users/:user_id",
  params: userParams,
  body: z.object({ avatar_id: avatarId }),
  response: user,
});

/** Schema of what a user sees of the own account. */
export const profile = z.object({ ...user.shape, created_at: isoTime });
export type Profile = z.infer<typeof profile>;

/** Returns the user of the session with the date of the registration. */
export const getProfile = endpoint({
  method: "GET",
  path: "/users/:user_id/profile",
  params: userParams,
  response: profile,
});

/**
 * Changes the user's name and returns the user. Nobody else can take the former name for 30 days. 409 if the name is taken
 * or looks like a taken one, 429 after three changes in 30 days.
 */
export const changeName = endpoint({
  method: "PUT",
  path: "/users/:user_id/name",
  params: userParams,
  body: z.object({ name: userName }),
  response: user,
});

/** Schema of what happens to the texts of a deleted account: friends keep them, or see "deleted" instead. */
export const deletedTexts = z.enum(["keep", "remove"], "Choose what happens to your messages");
export type DeletedTexts = z.infer<typeof deletedTexts>;

/**
 * Deletes the user's account: ends all sessions, closes all threads and, in the background, replaces the user's texts.
 * Nobody else can take the name for 30 days. 403 if the password is wrong.
 */
export const deleteAccount = endpoint({
  method: "POST",
  path: "/users/:user_id/deletion",
  params: userParams,
  body: z.object({ password: givenPassword, texts: deletedTexts }),
  response: z.object({}),
});

/**
 * Lists users by name. `search` selects users whose name contains that text in any case. `after` continues after that
 * name.
 */
export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  query: z.object({
    search: z.optional(searchText),
    limit: z.optional(queryNumber(1, USER_LIST_MAX)),
    after: z.optional(searchText),
  }),
  response: z.array(user),
});

/** Schema of a friend in the user's list. The flags are absent if they are not set. */
export const listedFriend = z.object({
  ...user.shape,
  /** The user has muted the thread with this friend. */
  is_muted: z.optional(z.boolean()),
  /** This friend has added the user, who has not answered yet. */
  has_notice: z.optional(z.boolean()),
});
export type ListedFriend = z.infer<typeof listedFriend>;

/** Lists the user's friends, the newest friendship first. */
export const listFriends = endpoint({
  method: "GET",
  path: "/friends/:user_id",
  params: userParams,
  response: z.array(listedFriend),
});

const pairParams = z.object({ user_id: id, other_id: id });

/** Mutes a friend, or answers the notice that this friend has added the user. 404 if the two are not friends. */
export const changeFriend = endpoint({
  method: "PUT",
  path: "/friends/:user_id/:other_id",
  params: pairParams,
  body: z.object({ is_muted: z.optional(z.boolean()), has_notice: z.optional(z.literal(false)) }),
  response: z.object({}),
});

/** Ends a friendship for both users. Their messages are kept. Idempotent. */
export const unfriend = endpoint({
  method: "DELETE",
  path: "/friends/:user_id/:other_id",
  params: pairParams,
  response: z.object({}),
});

/** Lists the people whom the user has blocked. */
export const listBlocked = endpoint({
  method: "GET",
  path: "/users/:user_id/blocked",
  params: userParams,
  response: z.array(user),
});

/**
 * Blocks a person: ends the friendship and prevents a new one until the user unblocks them. Idempotent. 404 for an unknown
 * user, 409 if the user has blocked too many people.
 */
export const block = endpoint({
  method: "PUT",
  path: "/users/:user_id/blocked/:other_id",
  params: pairParams,
  response: z.object({}),
});

/** Unblocks a person. It does not make the two friends again. Idempotent. */
export const unblock = endpoint({
  method: "DELETE",
  path: "/users/:user_id/blocked/:other_id",
  params: pairParams,
  response: z.object({}),
});

/** Schema of the user's privacy settings. */
export const privacy = z.object({ who_may_add: z.enum(["everyone", "nobody"]) });
export type Privacy = z.infer<typeof privacy>;

export const getPrivacy = endpoint({
  method: "GET",
  path: "/users/:user_id/privacy",
  params: userParams,
  response: privacy,
});

/** Changes who may add the user. Existing friendships stay. */
export const changePrivacy = endpoint({
  method: "PUT",
  path: "/users/:user_id/privacy",
  params: userParams,
  body: privacy,
  response: privacy,
});

/**
 * Makes two users friends. Idempotent, even if both users add each other at the same time: each pair has one friendship,
 * whose id is the thread's id. 400 for oneself, 403 if one has blocked the other or the other accepts no new friends, 404
 * for an unknown user, 409 if one of the two has too many friends.
 */
export const addFriend = endpoint({
  method: "POST",
  path: "/add_friend",
  body: z.object({ user_id: id, friend_id: id }),
  response: z.object({ friend_id: id, thread_id: id }),
});

/** Schema of what svc-users stores about a user, as the user can download it. */
export const accountData = z.object({
  account: profile,
  friends: z.array(user),
  /** People whose friendship with the user has ended, under their names at that time. */
  former_friends: z.optional(z.array(z.object({ id, name: z.string(), thread_id: id }))),
  sessions: z.array(z.object({ device: z.string(), created_at: isoTime, last_used_at: isoTime })),
});
export type AccountData = z.infer<typeof accountData>;
