import { createFairQueue } from "@messageoh/service-kit/fairQueue";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import { createIndexes } from "@messageoh/service-kit/mongo";
import type { Publish } from "@messageoh/service-kit/publish";
import { createRoutes } from "@messageoh/service-kit/routes";
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
import { createSessions, type Lifetimes } from "./sessions/session.model.ts";
import { createSessionLookup } from "./sessions/sessionLookup.ts";
import { addNameParts } from "./users/nameSearch.ts";
import { createUserModel } from "./users/user.model.ts";

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

  const { find: findSession, findAll: findSessions } = createSessionLookup(sessions, users);
  const push = createPush({ users, friendships, sessions, logger }, pushOptions);
  const { app, router } = createHttpApp({ logger, isReady: () => true });
  const routes = createRoutes({ router, logger, internalSecret, findSession, limitOf: limits.of });
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
    findSessions,
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
