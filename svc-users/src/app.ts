import type { Session } from "@messageoh/contracts/internal/users";
import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import { createIndexes } from "@messageoh/service-kit/mongo";
import type { Publish } from "@messageoh/service-kit/publish";
import { createRoutes } from "@messageoh/service-kit/routes";
import { joinRunning } from "@messageoh/service-kit/sessionCache";
import type { Connection } from "mongoose";
import { createEvents } from "./events.ts";
import { createFriendshipModel } from "./friends/friendship.model.ts";
import type { Limits } from "./limits/rateLimits.ts";
import { createPasswordCheck } from "./passwords/checkPassword.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { previousReleaseRoutes } from "./previousRelease/routes.ts";
import { createPush, type PushOptions } from "./push/push.ts";
import { deletionRoutes } from "./routes/deletion.routes.ts";
import type { Deps } from "./routes/deps.ts";
import { friendRoutes } from "./routes/friend.routes.ts";
import { internalRoutes } from "./routes/internal.routes.ts";
import { inviteRoutes } from "./routes/invite.routes.ts";
import { privacyRoutes } from "./routes/privacy.routes.ts";
import { pushRoutes } from "./routes/push.routes.ts";
import { searchRoutes } from "./routes/search.routes.ts";
import { sessionRoutes } from "./routes/session.routes.ts";
import { userRoutes } from "./routes/user.routes.ts";
import { createDevices } from "./sessions/deviceCookie.ts";
import { createSessions, type Lifetimes, type SessionRow } from "./sessions/session.model.ts";
import { addNameParts } from "./users/nameSearch.ts";
import { createUserModel, toUser, type UserRow } from "./users/user.model.ts";

/** Limits of searches for users and of lists, which every client requests when it connects. */
const LISTS = { working: 8, waitingPerKey: 20, pauseFactor: 4 };

export interface AppOptions {
  connection: Connection;
  publish: Publish;
  passwords: Passwords;
  limits: Limits;
  logger: Logger;
  internalSecret: string;
  lifetimes: Lifetimes;
  push: PushOptions;
}

/** Returns the Koa app with its routes and the sender of push notifications, after creating the indexes. */
export async function createApp({
  connection,
  publish,
  passwords,
  limits,
  logger,
  internalSecret,
  lifetimes,
  push: pushOptions,
}: AppOptions) {
  const users = createUserModel(connection);
  const friendships = createFriendshipModel(connection);
  const sessions = createSessions(connection, lifetimes);
  for (const model of [users, friendships, sessions.model]) await createIndexes(model);

  await addNameParts(users);

  type Found = { row: SessionRow; session: Session };
  async function findRows(tokens: readonly string[]): Promise<(Found | null)[]> {
    const rows = await sessions.find(tokens);
    const userIds = rows.flatMap((row) => row?.user_id ?? []);
    const found = await users.find({ _id: { $in: userIds } }).lean<UserRow[]>();
    const userOf = new Map(found.map((user) => [user._id, user]));
    return rows.map((row) => {
      const user = row && userOf.get(row.user_id);
      const isActive = user && !user.suspended_at && !user.deleted_at;
      return isActive ? { row, session: { session_id: row.public_id, user: toUser(user) } } : null;
    });
  }
  // A session that this process ends is not found any more, even by a request that joined an earlier lookup.
  const lookUp = joinRunning(async (token) => (await findRows([token]))[0] ?? null);
  async function findRow(token: string | undefined): Promise<Found | null> {
    const found = token ? await lookUp(token) : null;
    return found && !sessions.hasJustEnded(found.row) ? found : null;
  }

  const push = createPush({ users, friendships, sessions, logger }, pushOptions);
  const { app, router } = createHttpApp({ logger, isReady: () => true });
  const routes = createRoutes({
    router,
    logger,
    internalSecret,
    findSession: async (token) => (await findRow(token))?.session ?? null,
    limitOf: limits.of,
  });
  const deps: Deps = {
    users,
    friendships,
    sessions,
    devices: createDevices(internalSecret),
    passwords,
    push,
    lists: createFairQueue(LISTS),
    checkPassword: createPasswordCheck({ users, passwords, limits }, internalSecret),
    events: createEvents(publish, friendships),
    findSessions: async (tokens) =>
      (await findRows(tokens)).map((found) => (found && !sessions.hasJustEnded(found.row) ? found.session : null)),
  };
  userRoutes(routes, deps);
  searchRoutes(routes, deps);
  sessionRoutes(routes, deps);
  friendRoutes(routes, deps);
  inviteRoutes(routes, deps);
  privacyRoutes(routes, deps);
  pushRoutes(routes, deps);
  deletionRoutes(routes, deps);
  internalRoutes(routes, deps);
  previousReleaseRoutes(routes, deps);
  return { app, push };
}
