import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serveForTest } from "../../testing/http.ts";
import { send } from "./send.ts";

let respond: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
let service: Awaited<ReturnType<typeof serveForTest>>;

beforeAll(async () => {
  service = await serveForTest((request, response) => void respond(request, response));
});
afterAll(() => service.close());

const get = (signal = new AbortController().signal, path = "/") =>
  send(service.url + path, { method: "GET", headers: {}, signal });

it("sends the method, path, query, headers and body of a request", async () => {
  const received: unknown[] = [];
  respond = async (request, response) => {
    received.push(request.method, request.url, request.headers["x-secret"], await text(request));
    response.end("{}");
  };
  const { signal } = new AbortController();
  const options = { method: "PUT", headers: { "x-secret": "a secret" }, body: '{"text":"ü"}', signal } as const;
  await send(`${service.url}/a/b?c=%20d`, options);
  expect(received).toEqual(["PUT", "/a/b?c=%20d", "a secret", '{"text":"ü"}']);
});

it("returns the status and the JSON of a response that arrives in parts", async () => {
  const body = Buffer.from('{"text":"ü"}');
  respond = async (_, response) => {
    response.statusCode = 409;
    response.write(body.subarray(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.end(body.subarray(10));
  };
  const response = await get();
  expect([response.ok, response.status, await response.json()]).toEqual([false, 409, { text: "ü" }]);
});

it("rejects the JSON of a response that is not JSON", async () => {
  respond = (_, response) => void response.end("<html></html>");
  const response = await get();
  expect(response.ok).toBe(true);
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

it("rejects if the connection closes within the response, or cannot be opened", async () => {
  respond = (_, response) => {
    response.write("{");
    setImmediate(() => response.destroy());
  };
  await expect(get().then((response) => response.json())).rejects.toThrow(/closed|terminated/);
  const { signal } = new AbortController();
  await expect(send("http://127.0.0.1:1/", { method: "GET", headers: {}, signal })).rejects.toThrow("ECONNREFUSED");
});

it("rejects and closes the connection if the signal aborts, before or during the call", async () => {
  const closed = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  respond = (request) => {
    request.socket.once("close", () => closed.resolve());
    arrived.resolve();
  };
  const during = new AbortController();
  const call = get(during.signal);
  await arrived.promise;
  during.abort();
  await expect(call).rejects.toThrow("aborted");
  await closed.promise;
  await expect(get(AbortSignal.abort())).rejects.toThrow("aborted");
});
