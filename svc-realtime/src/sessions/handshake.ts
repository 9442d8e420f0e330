import { type IncomingMessage, ServerResponse, STATUS_CODES } from "node:http";
import { TOO_MANY_CONNECTIONS } from "@messageoh/contracts/errorTexts";
import type { Session } from "@messageoh/contracts/internal/users";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { readSessionToken } from "@messageoh/service-kit/cookies";
import { Counts } from "@messageoh/service-kit/counts";
import { type HttpError, tooMany, unauthorised, unavailable } from "@messageoh/service-kit/errors";
import type { Logger } from "@messageoh/service-kit/logger";
import { limited } from "@messageoh/service-kit/rateLimit";
import { withRequestId } from "@messageoh/service-kit/requestContext";
import type { Connection } from "../limits/webSocket.ts";
import type { RealtimeServer } from "../types.ts";
import { refusedConnections, requestIdOf } from "./authenticate.ts";
import { type EngineRequest, mayConnect } from "./mayConnect.ts";

const RETRY_AFTER_SECONDS = 10;

export interface HandshakeOptions {
  findSession: (token: string | undefined) => Promise<Session | null>;
  /** Largest number of connections per client address on this instance. */
  connectionsPerAddress: number;
  /** Called with each new connection and the user of its session. */
  onConnection: (connection: Connection, userId: string) => void;
  logger: Logger;
}

/**
 * Rejects a handshake before engine.io creates a connection: with 401 without a session, with 429 if its address has
 * too many connections, with 503 if the session cannot be checked. Later requests carry a connection id that only the
 * client knows, so they are not checked.
 */
export function checkHandshakes(
  { engine }: Pick<RealtimeServer, "engine">,
  { findSession, connectionsPerAddress, onConnection, logger }: HandshakeOptions,
): void {
  const connections = new Counts();
  const userOf = new WeakMap<IncomingMessage, string>();

  async function errorOf(request: EngineRequest): Promise<HttpError | null> {
    if (isFull(request)) return tooManyConnections();
    const requestId = requestIdOf(request.headers);
    try {
      const session = await withRequestId(requestId, () => findSession(readSessionToken(request.headers)));
      if (!session) {
        refusedConnections.inc({ reason: "unauthorised" });
        return unauthorised();
      }
      userOf.set(request, session.user.id);
    } catch (err) {
      // The session may be valid, so the client must not sign out. It retries after a 503.
      refusedConnections.inc({ reason: "dependency_failed" });
      logger.warn({ err, request_id: requestId }, "session check failed");
      return unavailable("Your session could not be checked");
    }
    // The lookup is asynchronous, so other connections of this address may have opened meanwhile.
    return isFull(request) ? tooManyConnections() : null;
  }

  const isFull = (request: IncomingMessage) => connections.of(clientAddress(request)) >= connectionsPerAddress;

  engine.use((request: EngineRequest, response: object, next: () => void) => {
    // allowRequest responds to the handshakes that mayConnect refuses.
    // For engine.io, an empty connection id is a handshake too.
    if (request._query.sid || !mayConnect(request)) return next();
    void errorOf(request).then((error) => (error ? reject(request, response, error) : next()));
  });

  engine.on("connection", (connection: Connection) => {
    onConnection(connection, userOf.get(connection.request) as string);
    const address = clientAddress(connection.request);
    connections.add(address, 1);
    connection.once("close", () => connections.add(address, -1));
  });
}

const tooManyConnections = (): HttpError => {
  limited.inc({ limit: "connections_per_address" });
  return tooMany(TOO_MANY_CONNECTIONS, RETRY_AFTER_SECONDS);
};

/** Sends an error response to a polling or WebSocket handshake. engine.io would close a WebSocket without a status. */
function reject(
  { socket }: IncomingMessage,
  response: object,
  { status, message, retryAfterSeconds }: HttpError,
): void {
  const body = JSON.stringify({ error: message });
  const headers: Record<string, string> = { "content-type": "application/json", connection: "close" };
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (response instanceof ServerResponse) return void response.writeHead(status, headers).end(body);
  headers["content-length"] = String(Buffer.byteLength(body));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
