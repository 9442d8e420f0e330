import { readSessionToken } from "@messageoh/service-kit/cookies";
import type { Context } from "koa";
import type { Events } from "../events.ts";
import type { UserModel, UserRow } from "../users/user.model.ts";
import type { Devices } from "./deviceCookie.ts";
import { deviceName } from "./deviceName.ts";
import type { Sessions } from "./session.model.ts";
import { setSessionCookie, setSessionIdCookie } from "./sessionCookie.ts";

interface Parts {
  users: UserModel;
  sessions: Sessions;
  devices: Devices;
  events: Events;
}

/**
 * Starts a session for a user whose password was correct, sets the cookies and ends the browser's previous session.
 * Returns `false` without a session if the password was changed or the user suspended since `user` was read.
 */
export async function signIn(
  { users, sessions, devices, events }: Parts,
  ctx: Context,
  user: UserRow,
  requestId: string,
): Promise<boolean> {
  // The session starts before the second read: a change after that read ends the new session like all others.
  const { token, publicId, maxAgeSeconds, ended } = await sessions.start(user._id, deviceName(ctx.get("user-agent")));
  events.sessionsEnded(ended, user._id, requestId);
  const now = await users.findById(user._id, { password_version: 1, suspended_at: 1 }).lean<UserRow>();
  if (!now || now.suspended_at || now.password_version !== user.password_version) {
    await sessions.endByToken(token);
    return false;
  }
  const previous = readSessionToken(ctx.headers);
  const replaced = previous ? await sessions.endByToken(previous) : null;
  if (replaced) events.sessionsEnded([replaced.public_id], replaced.user_id, requestId);
  setSessionCookie(ctx, token, maxAgeSeconds);
  devices.remember(ctx, user.name_key);
  setSessionIdCookie(ctx, publicId, maxAgeSeconds);
  return true;
}
