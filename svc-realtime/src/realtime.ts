import { randomBytes } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import { BODY_MAX_BYTES } from "@messageoh/contracts/limits";
import { lookUpSession, type Session } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Rate } from "@messageoh/service-kit/rateLimit";
import { createPublish, createSubscriber, type Redis } from "@messageoh/service-kit/redis";
import { createSessionCache } from "@messageoh/service-kit/sessionCache";
import { isTracing } from "@messageoh/service-kit/tracing";
import { createAdapter } from "@socket.io/redis-adapter";
import { Server } from "socket.io";
import { createAccess } from "./access.ts";
import { authenticate } from "./authenticate.ts";
import { limitConnectionsPerAddress } from "./connectionLimits.ts";
import { createDelivery } from "./delivery.ts";
import { limitEvents } from "./eventBudget.ts";
import { createForwarder } from "./forwarder.ts";
import { registerFriendHandlers } from "./friend.handlers.ts";
import { createFriendships } from "./friendships.ts";
import { mayConnect } from "./mayConnect.ts";
import { registerMessageHandlers } from "./message.handlers.ts";
import { createPresence } from "./presence.ts";
import { Received } from "./received.ts";
import { createReplay } from "./replay.ts";
import { sessionRoom } from "./rooms.ts";
import { createSendPace, type SendPaceOptions } from "./sendPace.ts";
import { passingParser } from "./serialised.ts";
import { createSessionCheck } from "./sessionCheck.ts";
import { countSockets } from "./socketMetrics.ts";
import { createTraces } from "./traces.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";
import { createUserChannels } from "./userChannels.ts";

const SESSION_TRUST_MS = 30_000;
const RESYNC_WITHIN_MS = 3_000;

export interface RealtimeOptions {
  /** Unique name of this instance. The gateway finds the instance of a polling client by it. */
  instance: string;
  /** Four connections: to publish, to listen, and the adapter's two. */
  redis: { publisher: Redis; subscriber: Redis; adapterPublisher: Redis; adapterSubscriber: Redis };
  callUsers: Call;
  callMessages: Call;
  limits: {
    sends: SendPaceOptions;
    eventsPerSocket: Rate;
    connectionsPerUser: number;
    connectionsPerAddress: number;
  };
  logger: Logger;
}

/** One instance of the realtime tier on an HTTP server: everything it listens to is listed here. */
export function createRealtime(httpServer: HttpServer, options: RealtimeOptions) {
  const { instance, redis, callUsers, callMessages, limits, logger } = options;
  const io: RealtimeServer = new Server(httpServer, {
    adapter: createAdapter(redis.adapterPublisher, redis.adapterSubscriber),
    maxHttpBufferSize: BODY_MAX_BYTES,
    // A client of an instance that froze notices within their sum and goes to another.
    pingInterval: 10_000,
    pingTimeout: 8_000,
    // Who has not said by then who they are never will.
    connectTimeout: 20_000,
    serveClient: false,
    parser: passingParser,
    allowRequest: (request, answer) => answer(null, mayConnect(request)),
  });
  // The gateway reads the instance off a session id, to bring a polling client back to where its session is.
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString("base64url")}`;

  const stopCounting = countSockets(io);
  limitConnectionsPerAddress(io, limits.connectionsPerAddress);

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
  const forwarder = createForwarder(callMessages, logger, (stuck) => {
    if (stuck === isStuck) return;
    isStuck = stuck;
    announceState();
  });
  const pace = createSendPace(limits.sends);
  const access = createAccess(createFriendships(callUsers));
  const traces = createTraces();
  const received = new Received();
  const delivery = createDelivery(io, received, traces, logger);

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
  const userChannels = createUserChannels(subscriber);
  const localUsers = () => userChannels.users();
  const replay = createReplay({
    callMessages,
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

  const sessionCheck = createSessionCheck({ io, findSession: sessions.find, endSession, logger });

  io.use(authenticate({ findSession: sessions.find, userChannels, connectionsMax: limits.connectionsPerUser, logger }));
  io.on("connection", (socket) => {
    forgetHandshake(socket);
    limitEvents(socket, limits.eventsPerSocket);
    registerMessageHandlers(socket, { access, logger, pace, forwarder, callMessages, traces });
    registerFriendHandlers(socket, { access, logger, presence, publish });
    presence.connected(socket);
    if (isTracing()) socket.emit("tracing_on", {});
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
    isReady: () => !isDraining,

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
      while (Date.now() < deadline && (io.sockets.sockets.size > 0 || !pace.isIdle() || !forwarder.isIdle())) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      replay.close();
      sessionCheck.close();
      stopCounting();
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
