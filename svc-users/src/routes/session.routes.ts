import { passwordWeakness } from "@messageoh/contracts/passwordWeakness";
import * as contract from "@messageoh/contracts/users";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { badRequest, forbidden, notFound, unauthorised } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { clearCache } from "../sessions/sessionCookie.ts";
import type { Deps } from "./deps.ts";

const WRONG_PASSWORD = "Your current password is wrong";

/** Mounts the calls with which users manage their sessions and their password. */
export function sessionRoutes(routes: Routes, { users, sessions, passwords, checkPassword, events }: Deps): void {
  routes.signedIn(contract.listSessions, async ({ session }) => {
    const rows = await sessions.list(session.user.id);
    return rows.map((row) => ({
      id: row.public_id,
      device: row.device,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      is_current: row.public_id === session.session_id,
    }));
  });

  routes.signedIn(contract.logOut, async ({ session, requestId, ctx }) => {
    await sessions.end(session.user.id, session.session_id);
    clearCache(ctx);
    events.sessionsEnded([session.session_id], session.user.id, requestId);
    return {};
  });

  routes.signedIn(contract.endSession, async ({ session, params, requestId, ctx }) => {
    const userId = session.user.id;
    if (!(await sessions.end(userId, params.session_id))) throw notFound("This session has already ended");
    if (params.session_id === session.session_id) clearCache(ctx);
    events.sessionsEnded([params.session_id], userId, requestId);
    return {};
  });

  routes.signedIn(contract.endSessions, async ({ session, requestId, ctx }) => {
    const userId = session.user.id;
    events.sessionsEnded(await sessions.endAll(userId), userId, requestId);
    clearCache(ctx);
    return {};
  });

  routes.signedIn(contract.changePassword, async ({ session, body, requestId, ctx, isGone }) => {
    const { id, name } = session.user;
    const address = clientAddress(ctx.req);
    const weakness = passwordWeakness(body.new_password, name);
    if (weakness) throw badRequest(weakness);
    const row = await checkPassword.ofSession(session, { password: body.old_password, address, isGone });
    // Not 401, because the session is valid and the browser must not sign out.
    if (!row) throw forbidden(WRONG_PASSWORD);
    const password_hash = await passwords.hash(body.new_password, address, isGone);
    // During the hashing this session may have ended, or another session may have changed the password.
    if (!(await sessions.isActive(id, session.session_id))) throw unauthorised();
    const unchanged = { _id: id, password_version: row.password_version ?? { $exists: false } };
    const change = { $set: { password_hash }, $inc: { password_version: 1 } };
    const endOthers = async () => events.sessionsEnded(await sessions.endAll(id, session.session_id), id, requestId);
    // Before the change, because a crash directly after it must leave no session of the old password; and after it, for
    // sign-ins in between.
    await endOthers();
    if ((await users.updateOne(unchanged, change)).modifiedCount === 0) throw forbidden(WRONG_PASSWORD);
    await endOthers();
    return {};
  });
}
