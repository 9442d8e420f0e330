import * as v from "valibot";
import { atMost, avatarId, id, isoTime, password, searchText, userName, wholeNumber } from "../rules/fields.ts";
import { NAME_INPUT_MAX_CHARACTERS, USER_LIST_MAX } from "../rules/limits.ts";
import { endpoint } from "./endpoint.ts";

/**
 * Schema of a user as other users see it. `avatar_id` accepts any text, so that older clients accept users with a new
 * avatar.
 */
export const user = v.object({ id, name: v.string(), avatar_id: v.string() });
export type User = v.InferOutput<typeof user>;
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

const userParams = v.object({ user_id: id });

/**
 * Creates a user and starts a session; the response sets the cookie. 409 if the name is taken or looks like a taken
 * one.
 */
export const register = endpoint({
  method: "POST",
  path: "/users",
  body: v.object({ name: userName, password, avatar_id: avatarId }),
  response: v.object({ id }),
});

/** An existing password. It may be older than the rules of {@link password}. */
const givenPassword = v.pipe(
  v.string("Password must be text"),
  ...atMost(1000),
  v.minLength(1, "Password is required"),
);

/** Starts a session. The response to an unknown name is the same as to a wrong password (401). 403 if suspended. */
export const logIn = endpoint({
  method: "POST",
  path: "/login",
  body: v.object({
    name: v.pipe(
      v.string("Username must be text"),
      ...atMost(NAME_INPUT_MAX_CHARACTERS),
      v.trim(),
      v.minLength(1, "Username is required"),
    ),
    password: givenPassword,
  }),
  response: user,
});

/** Ends the session of the request. */
export const logOut = endpoint({ method: "POST", path: "/logout", response: v.object({}) });

/** Schema of one session in the list of a user's sessions. The id reveals nothing about the token. */
export const sessionInfo = v.object({
  id,
  /** Browser and system, such as "Firefox on Windows". */
  device: v.string(),
  created_at: isoTime,
  /** Updated every few minutes. */
  last_used_at: isoTime,
  /** Whether it is the session of the request. */
  is_current: v.boolean(),
});
export type SessionInfo = v.InferOutput<typeof sessionInfo>;

/** Lists the user's sessions, most recently used first. */
export const listSessions = endpoint({
  method: "GET",
  path: "/sessions/:user_id",
  params: userParams,
  response: v.array(sessionInfo),
});

/** Ends one of the user's sessions. 404 if it has ended already. */
export const endSession = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id/:session_id",
  params: v.object({ user_id: id, session_id: id }),
  response: v.object({}),
});

/** Ends all sessions of the user, including the session of the request. */
export const endSessions = endpoint({
  method: "DELETE",
  path: "/sessions/:user_id",
  params: userParams,
  response: v.object({}),
});

/** Changes the password and ends all other sessions. 403 if the old password is wrong, because the session is valid. */
export const changePassword = endpoint({
  method: "POST",
  path: "/users/:user_id/password",
  params: userParams,
  body: v.object({ old_password: givenPassword, new_password: password }),
  response: v.object({}),
});

/** Returns the user of the session. */
export const getUser = endpoint({ method: "GET", path: "/users/:user_id", params: userParams, response: user });

/** Changes the user's avatar and returns the user. */
export const changeAvatar = endpoint({
  method: "PUT",
  path: "/users/:user_id",
  params: userParams,
  body: v.object({ avatar_id: avatarId }),
  response: user,
});

/** Schema of what a user sees of the own account. */
export const profile = v.object({ ...user.entries, created_at: isoTime });
export type Profile = v.InferOutput<typeof profile>;

/** Returns the user of the session with the date of the registration. */
export const getProfile = endpoint({
  method: "GET",
  path: "/users/:user_id/profile",
  params: userParams,
  response: profile,
});

/**
 * Changes the user's name and returns the user. Nobody else can take the former name for 30 days. 409 if the name is
 * taken or looks like a taken one, 429 after three changes in 30 days.
 */
export const changeName = endpoint({
  method: "PUT",
  path: "/users/:user_id/name",
  params: userParams,
  body: v.object({ name: userName }),
  response: user,
});

/** Schema of what happens to the texts of a deleted account: friends keep them, or see "deleted" instead. */
export const deletedTexts = v.picklist(["keep", "remove"], "Choose what happens to your messages");
export type DeletedTexts = v.InferOutput<typeof deletedTexts>;

/**
 * Deletes the user's account: ends all sessions, closes all threads and, in the background, replaces the user's texts.
 * Nobody else can take the name for 30 days. 403 if the password is wrong.
 */
export const deleteAccount = endpoint({
  method: "POST",
  path: "/users/:user_id/deletion",
  params: userParams,
  body: v.object({ password: givenPassword, texts: deletedTexts }),
  response: v.object({}),
});

/**
 * Lists users by name. `search` selects users whose name contains that text in any case; of hundreds, it finds some,
 * and always one whose name equals the text. `after` continues after that name.
 */
export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  query: v.object({
    search: v.optional(searchText),
    limit: v.optional(wholeNumber(1, USER_LIST_MAX)),
    after: v.optional(searchText),
  }),
  response: v.array(user),
});

/** Schema of a friend in the user's list. The flags are absent if they are not set. */
export const listedFriend = v.object({
  ...user.entries,
  /** The user has muted the thread with this friend. */
  is_muted: v.optional(v.boolean()),
  /** This friend has added the user, who has not answered yet. */
  has_notice: v.optional(v.boolean()),
});
export type ListedFriend = v.InferOutput<typeof listedFriend>;

/** Lists the user's friends, the newest friendship first. */
export const listFriends = endpoint({
  method: "GET",
  path: "/friends/:user_id",
  params: userParams,
  response: v.array(listedFriend),
});

const pairParams = v.object({ user_id: id, other_id: id });

/** Mutes a friend, or answers the notice that this friend has added the user. 404 if the two are not friends. */
export const changeFriend = endpoint({
  method: "PUT",
  path: "/friends/:user_id/:other_id",
  params: pairParams,
  body: v.object({ is_muted: v.optional(v.boolean()), has_notice: v.optional(v.literal(false)) }),
  response: v.object({}),
});

/** Ends a friendship for both users. Their messages are kept. Idempotent. */
export const unfriend = endpoint({
  method: "DELETE",
  path: "/friends/:user_id/:other_id",
  params: pairParams,
  response: v.object({}),
});

/** Lists the people whom the user has blocked. */
export const listBlocked = endpoint({
  method: "GET",
  path: "/users/:user_id/blocked",
  params: userParams,
  response: v.array(user),
});

/**
 * Blocks a person: ends the friendship and prevents a new one until the user unblocks them. Idempotent. 404 for an
 * unknown user, 409 if the user has blocked too many people.
 */
export const block = endpoint({
  method: "PUT",
  path: "/users/:user_id/blocked/:other_id",
  params: pairParams,
  response: v.object({}),
});

/** Unblocks a person. It does not make the two friends again. Idempotent. */
export const unblock = endpoint({
  method: "DELETE",
  path: "/users/:user_id/blocked/:other_id",
  params: pairParams,
  response: v.object({}),
});

/** Schema of the user's privacy settings. */
export const privacy = v.object({ who_may_add: v.picklist(["everyone", "nobody"]) });
export type Privacy = v.InferOutput<typeof privacy>;

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
 * Makes two users friends. Idempotent, even if both users add each other at the same time: each pair has one
 * friendship, whose id is the thread's id. 400 for oneself, 403 if one has blocked the other or the other accepts no
 * new friends, 404 for an unknown user, 409 if one of the two has too many friends.
 */
export const addFriend = endpoint({
  method: "POST",
  path: "/add_friend",
  body: v.object({ user_id: id, friend_id: id }),
  response: v.object({ friend_id: id, thread_id: id }),
});

/** Schema of what svc-users stores about a user, as the user can download it. */
export const accountData = v.object({
  account: profile,
  friends: v.array(user),
  /** People whose friendship with the user has ended, under their names at that time. */
  former_friends: v.optional(v.array(v.object({ id, name: v.string(), thread_id: id }))),
  sessions: v.array(v.object({ device: v.string(), created_at: isoTime, last_used_at: isoTime })),
});
export type AccountData = v.InferOutput<typeof accountData>;
