import type { Server } from "node:http";
import { BEAT_MS } from "@messageoh/contracts/beat";
import {
  FRAME_MAX_BYTES,
  type RequestFrame,
  type ResponseFrame,
  STREAM_PATH,
  type StreamResult,
} from "@messageoh/contracts/messageStream";
import { knowsSecret, SECRET_HEADER } from "@messageoh/service-kit/internal";
import type { Logger } from "@messageoh/service-kit/logger";
import { type WebSocket, WebSocketServer } from "ws";
import type { Deps } from "./deps.ts";

/** Longest wait for an instance to close its end of a stream, in milliseconds. */
const CLOSE_MAX_MS = 500;
/** Longest wait for the results of requests while the process ends, in milliseconds. */
const DRAIN_MAX_MS = 3_000;

export interface StreamsOptions extends Pick<Deps, "storeReceipt" | "position" | "store"> {
  server: Server;
  isReady: () => boolean;
  internalSecret: string;
  logger: Logger;
}

/**
 * Accepts the streams of the svc-realtime instances on an HTTP server. Each message and each receipt gets its result as
 * soon as it is known; the results of one turn of the event loop share a frame. Beats keep a stream alive.
 */
export function acceptStreams({
  server,
  isReady,
  internalSecret,
  storeReceipt,
  position,
  store,
  logger,
}: StreamsOptions) {
  const wss = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX_BYTES, perMessageDeflate: false });
  let pending = 0;
  let isDraining = false;

  const frameOf = (results: ResponseFrame["results"]): string => {
    const frame: ResponseFrame = { beat: position.beatOfStored(), results, ...(isDraining && { is_draining: true }) };
    return JSON.stringify(frame);
  };

  server.on("upgrade", (request, socket, head) => {
    // Without a listener, an error of the socket ends the process.
    socket.on("error", () => undefined);
    const isAllowed = knowsSecret(String(request.headers[SECRET_HEADER] ?? ""), internalSecret);
    // Like an internal call: without the secret, the path does not exist.
    if (request.url !== STREAM_PATH || !isAllowed) return socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    if (!isReady() || isDraining) return socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    wss.handleUpgrade(request, socket, head, serve);
  });

  function serve(stream: WebSocket): void {
    let results: ResponseFrame["results"] = [];
    const flush = () => {
      if (stream.readyState === stream.OPEN) stream.send(frameOf(results));
      results = [];
    };
    const respond = async (number: number, outcome: Promise<StreamResult>) => {
      pending += 1;
      const result = await outcome;
      pending -= 1;
      if (results.length === 0) setImmediate(flush);
      results.push([number, result]);
    };
    stream.on("message", (data) => {
      try {
        const { messages, receipts } = JSON.parse(String(data)) as RequestFrame;
        for (const [number, message] of messages) void respond(number, store(message));
        for (const [number, receipt] of receipts) void respond(number, storeReceipt(receipt));
      } catch (err) {
        logger.error({ err }, "stream frame is invalid");
        stream.terminate();
      }
    });
    stream.on("error", (err) => logger.warn({ err }, "stream failed"));
    flush();
  }

  const sendBeats = () => {
    if (wss.clients.size === 0) return;
    const frame = frameOf([]);
    for (const stream of wss.clients) stream.send(frame);
  };
  const timer = setInterval(sendBeats, BEAT_MS).unref();

  return {
    /** Tells the instances to use another process, and closes the streams when the last result is sent. */
    async drain(): Promise<void> {
      isDraining = true;
      sendBeats();
      const deadline = performance.now() + DRAIN_MAX_MS;
      do await new Promise((resolve) => setTimeout(resolve, 50));
      while (pending > 0 && performance.now() < deadline);
      clearInterval(timer);
      for (const stream of wss.clients) {
        stream.close();
        // A frozen instance does not respond.
        setTimeout(() => stream.terminate(), CLOSE_MAX_MS).unref();
      }
    },
  };
}
