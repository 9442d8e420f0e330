import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { serveForTest } from "../../testing/http.ts";
import { createDownloads } from "./downloads.ts";

const LEAST_MS = 5 * 60_000;

let close = async () => {};
afterEach(async () => {
  jest.restoreAllMocks();
  await close();
});

it("ends the slowest download that has had its time when another user needs the place", async () => {
  const take = createDownloads(2);
  const service = await serveForTest(({ url }, response: ServerResponse) => {
    const [, userId = "", bytes] = url?.split("/") ?? [];
    try {
      take(userId, response);
      response.write("x".repeat(Number(bytes)));
    } catch (error) {
      response.writeHead((error as { status: number }).status).end();
    }
  });
  close = () => {
    service.server.closeAllConnections();
    return service.close();
  };
  const download = async (userId: string, bytes: number): Promise<IncomingMessage> => {
    const [response] = await once(get(`${service.url}/${userId}/${bytes}`), "response");
    return response.on("error", () => undefined).resume();
  };
  // A whole number, so that the difference to it is exact.
  const startedAt = Math.floor(performance.now());
  const now = jest.spyOn(performance, "now").mockReturnValue(startedAt);
  const fast = await download("fast", 100_000);
  const slow = await download("slow", 10);
  now.mockReturnValue(startedAt + LEAST_MS - 1);
  expect((await download("third", 10)).statusCode).toBe(429);
  now.mockReturnValue(startedAt + LEAST_MS);
  const ended = new Promise((resolve) => slow.once("close", resolve));
  expect((await download("third", 10)).statusCode).toBe(200);
  await ended;
  expect([slow.complete, fast.destroyed]).toEqual([false, false]);
  expect((await download("third", 10)).statusCode).toBe(429);
  expect((await download("fourth", 10)).statusCode).toBe(200);
  expect((await download("slow", 10)).statusCode).toBe(429);
});
