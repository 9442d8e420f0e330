import type { Call } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { lookUpSession, type Session, sessionCookieName } from "@messageoh/contracts/users";
import { unavailable } from "@messageoh/service-kit/errors";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import { pingMongo } from "@messageoh/service-kit/mongo";
import type { Publish } from "@messageoh/service-kit/redis";
import { createRoutes } from "@messageoh/service-kit/routes";
import { createSessionCache, readCookie } from "@messageoh/service-kit/sessionCache";
import type { Connection } from "mongoose";
import type { Deps } from "./deps.ts";
import { createEvents } from "./events.ts";
import { createHistory } from "./history.ts";
import { internalRoutes } from "./internal.routes.ts";
import { createMarkers } from "./marker.model.ts";
import { createMembers } from "./members.ts";
import { createInsert, createMessages } from "./message.model.ts";
import { messageRoutes } from "./message.routes.ts";
import { createMoveMarker } from "./moveMarker.ts";
import { moveOldMessages } from "./moveOldMessages.ts";
import { createSearchBlocks } from "./searchBlock.model.ts";
import { createStoreBatch } from "./storeBatch.ts";
import { createThreads } from "./thread.model.ts";
import { createWriter } from "./writer.ts";

const SESSION_TRUST_MS = 30_000;

export interface AppOptions {
  connection: Connection;
  publish: Publish;
  callUsers: Call;
  logger: Logger;
  internalSecret: string;
}

/** The service without its process: indexes made, routes mounted, not listening. */
export async function createApp({ connection, publish, callUsers, logger, internalSecret }: AppOptions) {
  const messages = await createMessages(connection);
  const moved = await moveOldMessages(connection, messages);
  if (moved > 0) logger.info({ messages: moved }, "moved messages of the old form");
  const threads = createThreads(connection, messages);
  const markers = createMarkers(connection);
  const events = createEvents(publish);

  // Without an answer from svc-users nobody knows who may do what: 503, never a guess.
  const askUsers: Call = (endpoint, input) =>
    callUsers(endpoint, input).catch((cause) => Promise.reject(unavailable(GENERIC_ERROR, cause)));
  const sessions = createSessionCache<Session>({
    lookUp: async (token) => (await askUsers(lookUpSession, { body: { token } })).session,
    sessionIdOf: (session) => session.session_id,
    trustMs: SESSION_TRUST_MS,
  });
  const { app, router } = createHttpApp({ logger, isReady: () => pingMongo(connection) });
  const routes = createRoutes<Session>({
    router,
    logger,
    internalSecret,
    findSession: (ctx) => sessions.find(readCookie(ctx.get("cookie"), sessionCookieName(ctx.get("x-forwarded-proto")))),
    userIdOf: (session) => session.user.id,
  });
  const deps: Deps = {
    history: createHistory(messages, threads, markers, await createSearchBlocks(connection, messages)),
    members: createMembers(askUsers),
    moveMarker: createMoveMarker(markers, threads, events),
    write: createWriter(createStoreBatch(messages, createInsert(connection), threads), events.messagesStored),
  };
  messageRoutes(routes, deps);
  internalRoutes(routes, deps);
  return { app, sessions, calls: routes.calls };
}
