import type { Server as HttpServer } from "node:http";
import { type MessagesEvent, userChannel } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import { pollAccessChanges } from "@messageoh/service-kit/accessChanges";
import type { Logger } from "@messageoh/service-kit/logger";
import { sleep } from "@messageoh/service-kit/pauses";
import { createPublish } from "@messageoh/service-kit/publish";
import type { Redis } from "@messageoh/service-kit/redis";
import { createSparseLog } from "@messageoh/service-kit/sparseLog";
import { createEventDelivery } from "./delivery/eventDelivery.ts";
import { moveClients } from "./drain.ts";
import { createAccess } from "./handlers/access.ts";
import { endFriendships } from "./handlers/endFriendships.ts";
import { registerFriendHandlers } from "./handlers/friend.handlers.ts";
import { createFriendships } from "./handlers/friendships.ts";
import { registerMessageHandlers } from "./handlers/message.handlers.ts";
import { jitterMs } from "./jitter.ts";
import { createEventLimits, type EventRates } from "./limits/eventLimits.ts";
import { createEventThrottle } from "./limits/eventThrottle.ts";
import { disconnectSlowConsumers } from "./limits/slowConsumers.ts";
import { createPresence, OFFLINE_AFTER_MS } from "./presence/presence.ts";
import { createForwarder } from "./sending/forwarder.ts";
import { createMessagesService, type MessagesServiceOptions } from "./sending/messagesService.ts";
import { createServiceState } from "./serviceState.ts";
import { authenticate } from "./sessions/authenticate.ts";
import { checkHandshakes } from "./sessions/handshake.ts";
import { createSessions } from "./sessions/sessions.ts";
import { countSockets } from "./socketMetrics.ts";
import { createSocketServer, releaseHandshake } from "./socketServer.ts";

/** Shortest time over which clients spread their catch-up after an interruption. */
const RESYNC_WITHIN_MS = 3_000;
/** Longest wait for clients to close their end of the connection. A client that does not respond would take 30 s. */
const CLOSE_MAX_MS = 1_000;

export interface RealtimeOptions {
  /** Unique name of this instance. The gateway routes polling requests by it. */
  instance: string;
  /** A connection in subscriber mode cannot send commands, so publishing and subscribing need one each. */
  redis: { publisher: Redis; subscriber: Redis; adapterSubscriber: Redis };
  callUsers: Call;
  messages: Omit<MessagesServiceOptions, "logger" | "onBeat">;
  limits: {
    events: EventRates;
    connectionsPerUser: number;
    connectionsPerAddress: number;
  };
  /** Time until friends are told that a user is offline; see {@link OFFLINE_AFTER_MS}. */
  offlineAfterMs?: number;
  logger: Logger;
}

/** Creates one instance of the realtime tier on an HTTP server: connects its parts and registers all event handlers. */
export function createRealtime(httpServer: HttpServer, options: RealtimeOptions) {
  const { instance, redis, callUsers, limits, logger } = options;
  const io = createSocketServer(httpServer, { instance, logger, ...redis });
  const stopSocketCount = countSockets(io);
  const stopSlowConsumerChecks = disconnectSlowConsumers(io, logger);

  const sessions = createSessions({ io, callUsers, logger });
  const findSession = sessions.find;
  const throttle = createEventThrottle(limits.events.events);
  const { connectionsPerAddress } = limits;
  checkHandshakes(io, { findSession, connectionsPerAddress, onConnection: throttle.watch, logger });

  const friendships = createFriendships(callUsers);
  const accessChanges = pollAccessChanges(
    callUsers,
    {
      onSessionEnded: sessions.end,
      onFriendshipChange: endFriendships({ io, friendships, presence: () => presence }),
    },
    logger,
  );

  const serviceState = createServiceState(io, () => forwarder.isStalled() || !events.isLive());

  const messagesService = createMessagesService({
    ...options.messages,
    onBeat: (beat) => events.learn(beat),
    logger,
  });
  const forwarder = createForwarder(messagesService.store, (item) => {
    const userId = item.message.sending_user_id;
    if (userChannels.countOf(userId) > 0) return events.deliver(userId, item);
    // svc-messages may have taken another instance that holds the user for this one.
    void publish([[userChannel(userId), { type: "messages", items: [item] } satisfies MessagesEvent]]);
  });
  const events = createEventDelivery({
    io,
    instance,
    redis: redis.subscriber,
    messagesService,
    originOf: forwarder.originOf,
    onAccessEvent: accessChanges.hear,
    onCheck: serviceState.announce,
    onRestored() {
      serviceState.announce();
      sessions.recheck();
      void presence.renew();
    },
    onSilenceEnd() {
      io.local.emit("resync", { within_ms: jitterMs(io.sockets.sockets.size, RESYNC_WITHIN_MS) });
    },
    logger,
  });
  const { userChannels } = events;
  const presence = createPresence({
    io,
    redis: redis.publisher,
    instance,
    localUsers: userChannels.users,
    offlineAfterMs: options.offlineAfterMs ?? OFFLINE_AFTER_MS,
  });
  const publish = createPublish(redis.publisher, logger);
  const access = createAccess(friendships);
  const eventLimits = createEventLimits(limits.events, redis.publisher);
  const onEventDeps = { access, limits: eventLimits, throttle, logRefusal: createSparseLog(logger) };

  let isDraining = false;
  const { seenBy } = events;
  io.use(authenticate({ findSession, userChannels, seenBy, connectionsMax: limits.connectionsPerUser, logger }));
  io.on("connection", (socket) => {
    releaseHandshake(socket);
    registerMessageHandlers(socket, {
      ...onEventDeps,
      io,
      instance,
      logger,
      forwarder,
      moveMarker: messagesService.moveMarker,
    });
    registerFriendHandlers(socket, { ...onEventDeps, friendships, presence, publish });
    presence.onConnect(socket);
    serviceState.greet(socket);
    if (isDraining) socket.emit("server_draining", { within_ms: 0 });
    // The socket has left its rooms by now, so the user's remaining sockets can be counted.
    socket.on("disconnect", () => presence.onDisconnect(socket));
  });

  return {
    io,
    messagesService,
    isDraining: () => isDraining,
    /** Returns whether this instance receives the events of all processes that are up. */
    isLive: events.isLive,

    /**
     * Drains the instance: asks clients to move to another instance, waits until they have and until their messages are
     * stored, then closes the remaining sockets.
     * @param withinMs time for all clients to move, in milliseconds
     */
    async drain(withinMs: number): Promise<void> {
      isDraining = true;
      presence.close();
      throttle.close();
      await moveClients(io, withinMs, () => forwarder.isIdle() && messagesService.isIdle());
      events.close();
      messagesService.close();
      sessions.close();
      accessChanges.close();
      stopSocketCount();
      stopSlowConsumerChecks();
      await Promise.race([io.close(), sleep(CLOSE_MAX_MS)]);
      await eventLimits.flush();
    },
  };
}
