import type { Context } from "koa";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user.model.ts";
import { deviceOf } from "./deviceName.ts";
import { readSessionToken, setSessionCookie } from "./sessionCookie.ts";

/**
 * Starts a session for a user whose password was right, and ends the one that this browser had. The password may have
 * been changed since it was read, or the user suspended: then the session ends before anybody has its token.
 * @returns whether the session holds
 */
export async function signIn(
  { users, sessions, devices, events }: Pick<Deps, "users" | "sessions" | "devices" | "events">,
  ctx: Context,
  user: UserRow,
  requestId: string,
): Promise<boolean> {
  const { token, expiresAt, ended } = await sessions.start(user._id, deviceOf(ctx.get("user-agent")));
  events.sessionsEnded(ended, user._id, requestId);
  const now = await users.findById(user._id, { password_version: 1, suspended_at: 1 }).lean<UserRow>();
  if (!now || now.suspended_at || now.password_version !== user.password_version) {
    await sessions.endByToken(token);
    return false;
  }
  const previous = readSessionToken(ctx);
  const replaced = previous ? await sessions.endByToken(previous) : null;
  if (replaced) events.sessionsEnded([replaced.public_id], replaced.user_id, requestId);
  setSessionCookie(ctx, token, expiresAt);
  devices.remember(ctx, user.name_key);
  return true;
}
