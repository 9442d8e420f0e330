import type { Session } from "@messageoh/contracts/users";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import { pingMongo } from "@messageoh/service-kit/mongo";
import type { Publish } from "@messageoh/service-kit/redis";
import { createRoutes } from "@messageoh/service-kit/routes";
import type { Connection } from "mongoose";
import type { Deps } from "./deps.ts";
import { createEvents } from "./events.ts";
import { friendRoutes } from "./friend.routes.ts";
import { createFriendshipModel } from "./friendship.model.ts";
import { internalRoutes } from "./internal.routes.ts";
import type { Limits } from "./limits.ts";
import type { Passwords } from "./password.ts";
import { createSessions } from "./session.model.ts";
import { sessionRoutes } from "./session.routes.ts";
import { readSessionToken } from "./sessionCookie.ts";
import { createUserModel, toUser, type UserRow } from "./user.model.ts";
import { userRoutes } from "./user.routes.ts";

export interface AppOptions {
  connection: Connection;
  publish: Publish;
  passwords: Passwords;
  limits: Limits;
  logger: Logger;
  internalSecret: string;
  sessionDays: number;
}

/** The service without its process: indexes made, routes mounted, not listening. */
export async function createApp({
  connection,
  publish,
  passwords,
  limits,
  logger,
  internalSecret,
  sessionDays,
}: AppOptions) {
  const users = createUserModel(connection);
  const friendships = createFriendshipModel(connection);
  const sessions = createSessions(connection, sessionDays);
  for (const model of [users, friendships, sessions.model]) await model.createIndexes();

  const findSession: Deps["findSession"] = async (token) => {
    const session = token ? await sessions.find(token) : null;
    const user = session && (await users.findById(session.user_id).lean<UserRow>());
    return user ? { session_id: session.public_id, user: toUser(user) } : null;
  };

  const { app, router } = createHttpApp({ logger, isReady: () => pingMongo(connection) });
  const routes = createRoutes<Session>({
    router,
    logger,
    internalSecret,
    findSession: (ctx) => findSession(readSessionToken(ctx)),
    userIdOf: (session) => session.user.id,
  });
  const deps: Deps = { users, friendships, sessions, passwords, limits, events: createEvents(publish), findSession };
  userRoutes(routes, deps);
  sessionRoutes(routes, deps);
  friendRoutes(routes, deps);
  internalRoutes(routes, deps);
  return app;
}
