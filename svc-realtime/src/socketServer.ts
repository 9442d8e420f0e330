import { randomBytes } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { BODY_MAX_BYTES } from "@messageoh/contracts/limits";
import { combineWrites } from "@messageoh/service-kit/combineWrites";
import { Counter } from "@messageoh/service-kit/metrics";
import type { Redis } from "@messageoh/service-kit/redis";
import { createShardedAdapter } from "@socket.io/redis-adapter";
import { Server } from "socket.io";
import { type EngineRequest, mayConnect } from "./sessions/mayConnect.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";

const peerEvents = new Counter({
  name: "messageoh_realtime_peer_events_total",
  help: "Typing and presence events received from Redis",
});

export interface SocketServerOptions {
  /** Unique name of this instance. */
  instance: string;
  adapterPublisher: Redis;
  adapterSubscriber: Redis;
}

/** Creates the Socket.IO server on an HTTP server, with the Redis adapter. */
export function createSocketServer(
  httpServer: HttpServer,
  { instance, adapterPublisher, adapterSubscriber }: SocketServerOptions,
): RealtimeServer {
  const io: RealtimeServer = new Server(httpServer, {
    // It subscribes to the rooms of its own users only. The other adapter receives the broadcasts of all instances.
    adapter: createShardedAdapter(adapterPublisher, adapterSubscriber, { subscriptionMode: "dynamic" }),
    maxHttpBufferSize: BODY_MAX_BYTES,
    // A client of a frozen instance reconnects elsewhere after at most pingInterval + pingTimeout.
    pingInterval: 10_000,
    pingTimeout: 8_000,
    // Closes connections that have not completed the handshake in time.
    connectTimeout: 10_000,
    serveClient: false,
    allowRequest: (request, callback) => callback(null, mayConnect(request as EngineRequest)),
  });
  httpServer.on("upgrade", (_, connection) => combineWrites(connection));
  adapterSubscriber.on("smessageBuffer", () => peerEvents.inc());
  // The gateway reads the instance name from the session id and routes polling requests by it.
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString("base64url")}`;
  return io;
}

/** Frees the handshake request and keeps only the headers that identify the session, to save memory per idle connection. */
export function releaseHandshake({ conn, handshake }: RealtimeSocket): void {
  const { cookie, "x-forwarded-proto": proto } = handshake.headers;
  Object.assign(conn, { request: null });
  handshake.headers = { cookie, "x-forwarded-proto": proto };
}
