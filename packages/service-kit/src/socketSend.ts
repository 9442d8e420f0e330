import { WebSocket } from "ws";
import { INTERNAL_BODY_MAX_BYTES } from "./internal.ts";
import type { SendOptions, send } from "./send.ts";
import { CALLS_PATH } from "./serveCalls.ts";

const CONNECT_TIMEOUT_MS = 5_000;

type Response = Awaited<ReturnType<typeof send>>;
interface Line {
  socket: WebSocket;
  waiting: Map<string, PromiseWithResolvers<Response>>;
}

/**
 * Another way to send than `fetch`, for a client's many calls to one service: over one WebSocket, opened by the first call
 * and again by the first one after it was lost. Calls that were under way then fail, as they do over HTTP.
 * @param baseUrl the client's own, for instance `http://127.0.0.1:4001`
 */
export function createSocketSend(baseUrl: string): typeof send {
  let line: Promise<Line> | undefined;
  let count = 0;

  async function connect(headers: Record<string, string>): Promise<Line> {
    const socket = new WebSocket(baseUrl.replace(/^http/, "ws") + CALLS_PATH, {
      headers,
      handshakeTimeout: CONNECT_TIMEOUT_MS,
      maxPayload: INTERNAL_BODY_MAX_BYTES,
      perMessageDeflate: false,
    });
    const waiting: Line["waiting"] = new Map();
    socket.on("message", (data) => {
      const frame = String(data);
      const end = frame.indexOf("\n");
      const [number = "", status] = frame.slice(0, end).split(" ");
      waiting.get(number)?.resolve(responseOf(Number(status), frame.slice(end + 1)));
      waiting.delete(number);
    });
    const opened = Promise.withResolvers<void>();
    socket.on("open", opened.resolve);
    socket.on("error", opened.reject);
    socket.on("close", () => {
      line = undefined;
      for (const { reject } of waiting.values()) reject(new Error("The connection was lost"));
    });
    await opened.promise;
    return { socket, waiting };
  }

  return async (url: string, { method, headers, body = "{}", signal }: SendOptions) => {
    line ??= connect(headers);
    const { socket, waiting } = await line;
    signal.throwIfAborted();
    if (socket.readyState !== WebSocket.OPEN) throw new Error("The connection was lost");
    const number = String(++count);
    const answer = Promise.withResolvers<Response>();
    waiting.set(number, answer);
    // Who does not answer in time may be frozen: the next call opens a new connection.
    signal.addEventListener("abort", () => waiting.has(number) && socket.terminate());
    const path = url.slice(baseUrl.length);
    socket.send(`${number} ${method} ${path} ${headers["x-request-id"] ?? ""}\n${body}`);
    return answer.promise;
  };
}

const responseOf = (status: number, text: string): Response => ({
  ok: status >= 200 && status < 300,
  status,
  json: async () => JSON.parse(text),
});
