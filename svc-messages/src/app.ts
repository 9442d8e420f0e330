import type { Server } from "node:http";
import type { Call } from "@messageoh/contracts/client";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import { nativeCollection } from "@messageoh/service-kit/mongo";
import type { Position } from "@messageoh/service-kit/position";
import type { Publish } from "@messageoh/service-kit/publish";
import { createRoutes } from "@messageoh/service-kit/routes";
import { createSessionCache } from "@messageoh/service-kit/sessionCache";
import type { Connection } from "mongoose";
import { changeRoutes } from "./change.routes.ts";
import { createChangeRow } from "./changes/changeRow.ts";
import { createMarks } from "./changes/marks.model.ts";
import { createDeletionPoll } from "./deletion/pollDeletions.ts";
import { createRemoveTexts } from "./deletion/removeTexts.ts";
import type { Deps } from "./deps.ts";
import { internalRoutes } from "./internal.routes.ts";
import { markRoutes } from "./mark.routes.ts";
import { createMarkers } from "./markers/marker.model.ts";
import { createMoveMarker, createMoveMarkers, createStoreReceipt } from "./markers/moveMarkers.ts";
import { messageRoutes } from "./message.routes.ts";
import { byThread } from "./messages/byThread.ts";
import { createEvents } from "./messages/events.ts";
import { COLLECTION, createInsert, createMessages, type MessageRow } from "./messages/message.model.ts";
import { createRefuse } from "./messages/refusedMessage.ts";
import { previousReleaseRoutes } from "./previousRelease/routes.ts";
import type { PushRequests } from "./push/pushRequests.ts";
import type { Limits } from "./rateLimits.ts";
import { createAttachedPage } from "./reading/attachedPage.ts";
import { createDataExport } from "./reading/dataExport.ts";
import { createHistory } from "./reading/history.ts";
import { createListAttached } from "./reading/listAttached.ts";
import { createListBetween } from "./reading/listBetween.ts";
import { createListMissed } from "./reading/missedMessages.ts";
import { createSearch } from "./reading/search.ts";
import { createSearchBlocks } from "./reading/searchBlock.model.ts";
import { createThreadStates } from "./reading/threadStates.ts";
import { createResolve } from "./storing/resolve.ts";
import { createStore } from "./storing/store.ts";
import { createStoreBatch } from "./storing/storeBatch.ts";
import { acceptStreams } from "./streams.ts";
import { createMembers } from "./threads/members.ts";
import { createThreads } from "./threads/thread.model.ts";

export interface AppOptions {
  connection: Connection;
  /** Connections for the reads of users, which would otherwise delay messages to store. */
  reads?: Connection;
  /** The position of this process, which `publish` tells svc-realtime. */
  position: Position;
  publish: Publish;
  callUsers: Call;
  callMedia: Call;
  logger: Logger;
  internalSecret: string;
  limits: Limits;
  /** Called with each stored message whose recipient has no connection. */
  onUnheard?: PushRequests["add"];
  isReady: () => boolean;
  /** Time between two passes over the texts of a deleted account, in milliseconds. */
  deletionSettleMs?: number | undefined;
}

/**
 * Creates the HTTP app of the service: creates the indexes and mounts the routes. It does not listen.
 */
export async function createApp({
  connection,
  reads = connection,
  position,
  publish,
  callUsers,
  callMedia,
  logger,
  internalSecret,
  limits,
  onUnheard,
  isReady,
  deletionSettleMs: settleMs,
}: AppOptions) {
  const allMessages = await createMessages(connection);
  const messages = byThread(allMessages);
  const threads = createThreads(messages);
  const markers = createMarkers(connection);
  const events = createEvents(publish, position, onUnheard);

  const sessions = createSessionCache(callUsers);
  const { app, router } = createHttpApp({ logger, isReady });
  const routes = createRoutes({ router, logger, internalSecret, findSession: sessions.find, limitOf: limits.of });
  const members = createMembers(callUsers);
  const readMessages = byThread(nativeCollection<MessageRow>(reads, COLLECTION));
  const marks = createMarks(connection);
  const read = {
    messages: readMessages,
    threads: createThreads(readMessages),
    markers: createMarkers(reads),
    marks: createMarks(reads),
  };
  const blocks = await createSearchBlocks(reads, readMessages);
  const moveMarker = createMoveMarker(createMoveMarkers(markers, threads, events));
  const insert = createInsert(connection);
  const deps: Deps = {
    attachedPage: createAttachedPage(read),
    blocks,
    callUsers,
    changeRow: createChangeRow(messages, threads),
    events,
    exportParts: createDataExport(read.messages, read.markers, read.marks),
    limits,
    history: createHistory(read),
    markers,
    marks,
    members,
    messages,
    listAttached: createListAttached(read.messages),
    listBetween: createListBetween(messages),
    listMissed: createListMissed(allMessages),
    allMessages,
    moveMarker,
    storeReceipt: createStoreReceipt(members, moveMarker),
    position,
    search: createSearch({ ...read, blocks }),
    store: createStore({
      members,
      resolve: createResolve({ callMedia, members, messages }),
      findLastSeq: threads.findLastSeq,
      storeBatch: createStoreBatch({ messages, insert, threads, position }),
      refuse: createRefuse(connection, messages),
      events,
      logger,
    }),
    threads: read.threads,
    threadStates: createThreadStates(read),
  };
  messageRoutes(routes, deps);
  changeRoutes(routes, deps);
  markRoutes(routes, deps);
  internalRoutes(routes, deps);
  previousReleaseRoutes(routes, deps);
  const removeTexts = createRemoveTexts({ messages, threads, blocks });
  return {
    app,
    sessions,
    streams: (server: Server) => acceptStreams({ ...deps, server, isReady, internalSecret, logger }),
    forgetThread: members.forget,
    deletions: createDeletionPoll({ callUsers, members, removeTexts, forgetMarks: marks.forget, settleMs, logger }),
  };
}
