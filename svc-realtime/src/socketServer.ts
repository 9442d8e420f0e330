import { randomBytes } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { BODY_MAX_BYTES } from "@messageoh/contracts/limits";
import { combineWrites } from "@messageoh/service-kit/combineWrites";
import type { Logger } from "@messageoh/service-kit/logger";
import { Server } from "socket.io";
import { Encoder } from "socket.io-parser";
import { type ServerOptions, WebSocketServer } from "ws";
import { ShallowDecoder } from "./limits/ShallowDecoder.ts";
import { type EngineRequest, mayConnect } from "./sessions/mayConnect.ts";
import { type AdapterConnections, createSocketAdapter } from "./socketAdapter.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";

export interface SocketServerOptions extends AdapterConnections {
  /** Unique name of this instance. */
  instance: string;
  logger: Logger;
}

/**
 * Handles one packet of each connection per turn of the event loop, so that one with thousands of them delays others
 * little.
 */
class FairWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, allowSynchronousEvents: false });
  }
}

/** Creates the Socket.IO server on an HTTP server, with the Redis adapter. */
export function createSocketServer(
  httpServer: HttpServer,
  { instance, logger, ...connections }: SocketServerOptions,
): RealtimeServer {
  const io: RealtimeServer = new Server(httpServer, {
    adapter: createSocketAdapter(connections, logger),
    parser: { Encoder, Decoder: ShallowDecoder },
    maxHttpBufferSize: BODY_MAX_BYTES,
    wsEngine: FairWebSocketServer,
    // A client of a frozen instance reconnects elsewhere after at most pingInterval + pingTimeout.
    pingInterval: 10_000,
    pingTimeout: 8_000,
    // Closes connections that have not completed the handshake in time.
    connectTimeout: 10_000,
    serveClient: false,
    allowRequest: (request, callback) => callback(null, mayConnect(request as EngineRequest)),
  });
  httpServer.on("upgrade", (_, connection) => {
    // Until there is a WebSocket, nothing else listens, and an unhandled error ends the process.
    connection.on("error", () => undefined);
    combineWrites(connection);
  });
  // The gateway reads the instance name from the session id and routes polling requests by it.
  io.engine.generateId = () => `${instance}.${randomBytes(15).toString("base64url")}`;
  return io;
}

/**
 * Frees the handshake request and keeps only the headers that identify the session, to save memory per idle connection.
 */
export function releaseHandshake({ conn, handshake }: RealtimeSocket): void {
  const { cookie, "x-forwarded-proto": proto } = handshake.headers;
  Object.assign(conn, { request: null });
  handshake.headers = { cookie, "x-forwarded-proto": proto };
}
