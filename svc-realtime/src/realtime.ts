import { randomBytes } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import { BODY_MAX_BYTES } from "@messageoh/contracts/limits";
import { listBetween } from "@messageoh/contracts/messages";
import { listEndedSessions, lookUpSession, type Session } from "@messageoh/contracts/users";
import { pollEndedSessions } from "@messageoh/service-kit/endedSessions";
import type { Logger } from "@messageoh/service-kit/logger";
import { createPublish, createSubscriber, type Redis } from "@messageoh/service-kit/redis";
import { createSessionCache } from "@messageoh/service-kit/sessionCache";
import { createSparseLog } from "@messageoh/service-kit/sparseLog";
import { createAdapter } from "@socket.io/redis-adapter";
import { Server } from "socket.io";
import { createDelivery } from "./delivery/delivery.ts";
import { createPresence } from "./delivery/presence.ts";
import { Received } from "./delivery/received.ts";
import { createReplay } from "./delivery/replay.ts";
import { createUserChannels } from "./delivery/userChannels.ts";
import { createAccess } from "./handlers/access.ts";
import { registerFriendHandlers } from "./handlers/friend.handlers.ts";
import { createFriendships } from "./handlers/friendships.ts";
import { registerMessageHandlers } from "./handlers/message.handlers.ts";
import { createEventLimits, type EventRates } from "./limits/eventLimits.ts";
import { disconnectSlowReaders } from "./limits/slowReaders.ts";
import { sessionRoom } from "./rooms.ts";
import { createForwarder } from "./sending/forwarder.ts";
import { createMarkerSender } from "./sending/markerSender.ts";
import { createMessagesService, type MessagesServiceOptions } from "./sending/messagesService.ts";
import { authenticate } from "./sessions/authenticate.ts";
import { guardHandshakes } from "./sessions/handshake.ts";
import { mayConnect } from "./sessions/mayConnect.ts";
import { createSessionCheck } from "./sessions/sessionCheck.ts";
import { countSockets } from "./socketMetrics.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";

const SESSION_TRUST_MS = 30_000;
const RESYNC_WITHIN_MS = 3_000;

export interface RealtimeOptions {
  /** Unique name of this instance. The gateway finds the instance of a polling client by it. */
  instance: string;
  /** Four connections: to publish, to listen, and the adapter's two. */
  redis: { publisher: Redis; subscriber: Redis; adapterPublisher: Redis; adapterSubscriber: Redis };
  callUsers: Call;
  messages: Omit<MessagesServiceOptions, "logger">;
  limits: {
    events: EventRates;
    connectionsPerUser: number;
    connectionsPerAddress: number;
  };
  logger: Logger;
}

/** One instance of the realtime tier on an HTTP server: everything it listens to is listed here. */
export function createRealtime(httpServer: HttpServer, options: RealtimeOptions) {
  const { instance, redis, callUsers, limits, logger } = options;
  const io: RealtimeServer = new Server(httpServer, {
    adapter: createAdapter(redis.adapterPublisher, redis.adapterSubscriber),
    maxHttpBufferSize: BODY_MAX_BYTES,
    // A client of an instance that froze notices within their sum and goes to another.
    pingInterval: 10_000,
    pingTimeout: 8_000,
    // Closes connections that have not completed the handshake in time.
    connectTimeout: 10_000,
    serveClient: false,
    allowRequest: (request, answer) => answer(null, mayConnect(request)),
  });
  // The gateway reads the instance off a session id, to bring a polling client back to where its session is.
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString("base64url")}`;

  const stopCounting = countSockets(io);
  const stopDisconnecting = disconnectSlowReaders(io, logger);

  let isDraining = false;
  let isStuck = false;
  const isDegraded = () => isStuck || !subscriber.isLive();
  const announceState = () => io.local.emit("service_state", { is_degraded: isDegraded() });

  const publish = createPublish(redis.publisher, logger);
  const sessions = createSessionCache<Session>({
    lookUp: async (token) => (await callUsers(lookUpSession, { body: { token } })).session,
    sessionIdOf: (session) => session.session_id,
    trustMs: SESSION_TRUST_MS,
  });
  guardHandshakes(io, {
    findSession: sessions.find,
    connectionsPerAddress: limits.connectionsPerAddress,
    logger,
  });
  const service = createMessagesService({ ...options.messages, logger });
  const markers = createMarkerSender(service);
  const forwarder = createForwarder(service, logger, (stuck) => {
    if (stuck === isStuck) return;
    isStuck = stuck;
    announceState();
  });
  const access = createAccess(createFriendships(callUsers));
  const received = new Received();
  const delivery = createDelivery({
    io,
    received,
    fetchBetween: async (thread_id, after, before) =>
      (await service.callFor(thread_id)(listBetween, { body: { thread_id, after, before } })).messages,
    logger,
  });

  const subscriber = createSubscriber(redis.subscriber, logger, {
    onEvent(channel, event) {
      if (channel === SESSIONS_CHANNEL) endSession(sessionEvent.parse(JSON.parse(event)).session_id);
      else delivery.deliver(channel.slice(channel.indexOf(":") + 1), event);
    },
    onRestored() {
      sessions.clear();
      sessionCheck.soon();
      announceState();
      replay.soon();
      io.local.emit("resync", { within_ms: RESYNC_WITHIN_MS });
    },
    onLost() {
      announceState();
      replay.soon();
    },
  });
  void subscriber.add(SESSIONS_CHANNEL);
  const userChannels = createUserChannels(subscriber, delivery.forget);
  const localUsers = () => userChannels.users();
  const replay = createReplay({
    callMessages: service.callFor(instance),
    delivery,
    received,
    localUsers,
    isLive: subscriber.isLive,
    logger,
  });
  const presence = createPresence(io, redis.publisher, instance, localUsers);

  function endSession(sessionId: string): void {
    sessions.forget(sessionId);
    io.local.to(sessionRoom(sessionId)).emit("session_ended", {});
    io.local.in(sessionRoom(sessionId)).disconnectSockets(true);
  }

  const fetchPage = (since: string | undefined) => callUsers(listEndedSessions, { body: { since } });
  const endedSessions = pollEndedSessions({ fetchPage, onEnded: endSession, logger });
  const sessionCheck = createSessionCheck({ io, findSession: sessions.find, endSession, logger });

  const eventLimits = createEventLimits(limits.events);
  const onEventDeps = { access, limits: eventLimits, logRefusal: createSparseLog(logger) };
  io.use(authenticate({ findSession: sessions.find, userChannels, connectionsMax: limits.connectionsPerUser, logger }));
  io.on("connection", (socket) => {
    forgetHandshake(socket);
    eventLimits.watch(socket);
    registerMessageHandlers(socket, { ...onEventDeps, logger, forwarder, markers });
    registerFriendHandlers(socket, { ...onEventDeps, presence, publish });
    presence.connected(socket);
    if (isDegraded()) socket.emit("service_state", { is_degraded: true });
    if (isDraining) socket.emit("server_draining", { within_ms: 0 });
    socket.on("disconnecting", () => {
      const rooms = [...socket.rooms];
      // Once the socket has left its rooms.
      setImmediate(() => void presence.left(socket, rooms));
    });
  });

  return {
    io,
    service,
    isDraining: () => isDraining,

    /**
     * Leaves without a gap: asks clients to move to another instance, a few at a time, waits until they have and until
     * what they sent is stored, then closes what is left.
     * @param withinMs time for all clients to move, in milliseconds
     */
    async drain(withinMs: number): Promise<void> {
      isDraining = true;
      presence.close();
      io.local.emit("server_draining", { within_ms: Math.floor(withinMs / 2) });
      const deadline = Date.now() + withinMs;
      while (Date.now() < deadline && (io.sockets.sockets.size > 0 || !forwarder.isIdle() || !markers.isIdle())) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      replay.close();
      service.close();
      sessionCheck.close();
      endedSessions.close();
      stopCounting();
      stopDisconnecting();
      await io.close();
    },
  };
}

/** Of the request that a connection began with only what names its session is still needed: an idle connection is light. */
function forgetHandshake({ conn, handshake }: RealtimeSocket): void {
  const { cookie, "x-forwarded-proto": proto } = handshake.headers;
  Object.assign(conn, { request: null });
  handshake.headers = { cookie, "x-forwarded-proto": proto };
}
