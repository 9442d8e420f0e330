import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { WebSocket, WebSocketServer } from "ws";
import { notFound, toHttpError } from "./errors.ts";
import { INTERNAL_BODY_MAX_BYTES, type InternalCalls, knowsSecret, SECRET_HEADER } from "./internal.ts";
import type { Logger } from "./logger.ts";
import { httpDuration } from "./metrics.ts";
import { parseJson } from "./readJson.ts";
import { withRequestId } from "./requestContext.ts";

/** Where a service takes calls over a connection that is kept. */
export const CALLS_PATH = "/internal/calls";

export interface ServeCallsOptions {
  calls: InternalCalls;
  secret: string;
  logger: Logger;
}

/**
 * Serves calls of other services over WebSockets: the same calls as over HTTP, without what HTTP costs each time. A frame
 * is a line and a body, `<number> <method> <path> <request id>` and JSON; its answer `<number> <status>` and JSON.
 * `createSocketSend` is the other end.
 */
export function serveCalls(server: Server, { calls, secret, logger }: ServeCallsOptions) {
  const connections = new Set<{ socket: WebSocket; running: number }>();
  let isClosing = false;
  const sockets = new WebSocketServer({
    server,
    path: CALLS_PATH,
    maxPayload: INTERNAL_BODY_MAX_BYTES,
    perMessageDeflate: false,
    // To anyone else the path does not exist.
    verifyClient: ({ req }, answer) => answer(knowsSecret(String(req.headers[SECRET_HEADER]), secret), 404),
  });
  sockets.on("error", (err) => logger.debug({ err }, "calls are not served"));
  sockets.on("connection", (socket) => {
    const connection = { socket, running: 0 };
    connections.add(connection);
    socket.on("error", (err) => logger.debug({ err }, "connection of calls failed"));
    socket.on("close", () => connections.delete(connection));
    socket.on("message", async (data) => {
      connection.running += 1;
      const answer = await answerTo(String(data));
      connection.running -= 1;
      if (socket.readyState === WebSocket.OPEN) socket.send(answer);
      if (isClosing && connection.running === 0) socket.close(1001);
    });
  });

  async function answerTo(frame: string): Promise<string> {
    const startedAt = performance.now();
    const end = frame.indexOf("\n");
    const [number, method = "", path = "", given] = frame.slice(0, end).split(" ");
    const requestId = given || randomUUID();
    const call = calls.get(`${method} ${path}`);
    let status = 200;
    let answer: unknown;
    try {
      if (!call) throw notFound("No such call");
      const body = parseJson(frame.slice(end + 1));
      answer = await withRequestId(requestId, () => call(body, requestId));
    } catch (err) {
      const error = toHttpError(err);
      status = error.status;
      answer = { error: error.message };
      if (status >= 500) logger.error({ err, request_id: requestId }, "call failed");
    }
    httpDuration.observe({ method, route: call ? path : "none", status }, (performance.now() - startedAt) / 1_000);
    return `${number} ${status}\n${JSON.stringify(answer)}`;
  }

  return {
    /** Answers what was asked, then closes each connection; cuts what is left after `graceMs`. */
    async close(graceMs = 5_000): Promise<void> {
      isClosing = true;
      sockets.close();
      const open = [...connections];
      for (const { socket, running } of open) if (running === 0) socket.close(1001);
      const cut = setTimeout(() => {
        for (const { socket } of open) socket.terminate();
      }, graceMs);
      await Promise.all(open.map(({ socket }) => once(socket, "close")));
      clearTimeout(cut);
    },
  };
}
