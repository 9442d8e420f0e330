import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { forbidden } from "./errors.ts";
import { type InternalCall, internalHeaders, SECRET_HEADER } from "./internal.ts";
import { requestIdHeader } from "./requestContext.ts";
import { CALLS_PATH, serveCalls } from "./serveCalls.ts";
import { createSocketSend } from "./socketSend.ts";
import { silentLogger } from "./testing/engines.ts";

const SECRET = "secret";
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function aService(calls: Record<string, InternalCall>, port = 0) {
  const server = createServer((_, response) => response.writeHead(404).end());
  const served = serveCalls(server, { calls: new Map(Object.entries(calls)), secret: SECRET, logger: silentLogger });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const stop = async (graceMs?: number) => {
    await served.close(graceMs);
    server.close();
  };
  ends.push(stop);
  return { port: (server.address() as AddressInfo).port, stop };
}

function aCaller(port: number, secret = SECRET) {
  const baseUrl = `http://127.0.0.1:${port}`;
  const send = createSocketSend(baseUrl);
  return async (path: string, body?: unknown, timeoutMs = 2_000) => {
    const answer = await send(baseUrl + path, {
      method: "POST",
      headers: { ...internalHeaders(secret)(), "x-request-id": "request-1" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return [answer.status, await answer.json()];
  };
}

it("answers each call with what its endpoint says, on behalf of the request", async () => {
  const { port } = await aService({
    "POST /twice": async (body) => {
      const { number, after } = body as { number: number; after: number };
      await pause(after);
      return { twice: 2 * number, ...requestIdHeader() };
    },
  });
  const call = aCaller(port);
  const answers = await Promise.all([
    call("/twice", { number: 1, after: 30 }),
    call("/twice", { number: 2, after: 0 }),
  ]);
  expect(answers).toEqual([
    [200, { twice: 2, "x-request-id": "request-1" }],
    [200, { twice: 4, "x-request-id": "request-1" }],
  ]);
});

it("answers what fails with its status, and nothing of what was not meant for the caller", async () => {
  const { port } = await aService({
    "POST /forbidden": () => Promise.reject(forbidden()),
    "POST /broken": () => Promise.reject(new Error("password is 123")),
  });
  const call = aCaller(port);
  expect(await call("/forbidden")).toEqual([403, { error: "This is not yours" }]);
  expect(await call("/broken")).toEqual([500, { error: "Something went wrong with your request" }]);
  expect(await call("/elsewhere")).toEqual([404, { error: "No such call" }]);
});

it("is not there for who does not know the secret", async () => {
  const { port } = await aService({ "POST /any": async () => ({}) });
  await expect(aCaller(port, "guessed")("/any")).rejects.toThrow("404");
});

it("lives through whatever a frame holds", async () => {
  const { port } = await aService({ "POST /any": async () => ({}) });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${CALLS_PATH}`, { headers: { [SECRET_HEADER]: SECRET } });
  await once(socket, "open");
  const answers: string[] = [];
  socket.on("message", (data) => answers.push(String(data)));
  const frames = ["", "\n", "1", "1 POST /any x\n{", "2 POST /any x\n", Buffer.from([0xff, 0xfe]), "3 POST /any x\n{}"];
  for (const frame of frames) socket.send(frame);
  while (!answers.some((answer) => answer.startsWith("3 "))) await once(socket, "message");
  expect(answers.at(-1)).toBe("3 200\n{}");
  socket.terminate();
});

it("fails the calls under way when the service dies, and reaches the next one", async () => {
  const first = await aService({ "POST /never": () => new Promise(() => {}) });
  const call = aCaller(first.port);
  const failed = expect(call("/never")).rejects.toThrow("The connection was lost");
  await pause(50);
  await first.stop(0);
  await failed;
  await expect(call("/never")).rejects.toThrow();
  await aService({ "POST /never": async () => ({ now: true }) }, first.port);
  expect(await call("/never")).toEqual([200, { now: true }]);
});

it("gives up a service that does not answer in time, and asks anew", async () => {
  let calls = 0;
  const { port } = await aService({
    "POST /ready": async () => ({}),
    "POST /first-freezes": () => (++calls === 1 ? new Promise(() => {}) : Promise.resolve({ calls })),
  });
  const call = aCaller(port);
  // Connected before, so that the short time is the call's own.
  await call("/ready");
  await expect(call("/first-freezes", {}, 50)).rejects.toThrow();
  expect(await call("/first-freezes")).toEqual([200, { calls: 2 }]);
});

it("answers what was asked before it ends", async () => {
  const service = await aService({ "POST /slow": () => pause(100, { done: true }) });
  const answer = aCaller(service.port)("/slow");
  await pause(50);
  await service.stop();
  expect(await answer).toEqual([200, { done: true }]);
});
