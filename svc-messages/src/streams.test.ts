import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { RequestFrame, ResponseFrame } from "@messageoh/contracts/messageStream";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { WebSocket } from "ws";
import { aMessage } from "../testing/messages.ts";
import { serveMessages, TEST_SECRET, type TestService } from "../testing/service.ts";

const users = new FakeUsers(["bob", "cyd"].map((friend) => threadBetween("ann", friend)));
let service: TestService;

beforeEach(async () => {
  service = await serveMessages(users);
});
afterEach(() => service.close());

/** Opens a stream and records its frames. Rejects with the status if it is refused. */
async function open(secret = TEST_SECRET, path = "/internal/stream") {
  const headers = { "x-internal-secret": secret };
  const socket = new WebSocket(service.url.replace("http", "ws") + path, { headers });
  const frames: ResponseFrame[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data)) as ResponseFrame));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const send = (frame: Partial<RequestFrame>) => socket.send(JSON.stringify({ messages: [], receipts: [], ...frame }));
  return { socket, frames, send, results: () => new Map(frames.flatMap(({ results }) => results)) };
}
const toCyd = aMessage({ thread_id: "ann-cyd", recipient_user_id: "cyd" });

it("stores messages and receipts, and sends one result for each", async () => {
  const { send, results } = await open();
  const receipt = { kind: "delivered", thread_id: "ann-bob", user_id: "bob", seq: 9, request_id: "r" } as const;
  const stranger = { ...receipt, user_id: "eve" };
  send({
    messages: [
      [7, aMessage({ text: "hi" })],
      [8, toCyd],
    ],
  });
  await until(() => results().size === 2);
  send({
    receipts: [
      [-1, receipt],
      [-2, stranger],
    ],
  });
  await until(() => results().size === 4);
  expect(results().get(7)).toMatchObject({ message: { text: "hi", seq: 1, thread_id: "ann-bob" } });
  expect(results().get(8)).toMatchObject({ message: { seq: 1, thread_id: "ann-cyd" } });
  expect(results().get(-1)).toEqual({ marker: { kind: "delivered", thread_id: "ann-bob", user_id: "bob", seq: 1 } });
  expect(results().get(-2)).toEqual({ error: "This is not yours" });
});

it("sends the result of one thread while the members of another are looked up", async () => {
  const response = Promise.withResolvers<void>();
  users.beforeResponse = (threadId) => (threadId === "ann-bob" ? response.promise : Promise.resolve());
  const { send, results } = await open();
  send({
    messages: [
      [1, aMessage()],
      [2, toCyd],
    ],
  });
  await until(() => results().has(2));
  expect(results().has(1)).toBe(false);
  response.resolve();
  await until(() => results().has(1));
  users.beforeResponse = async () => undefined;
});

it("sends its position at once and every second, after everything that is stored", async () => {
  const { frames, send, results } = await open();
  await until(() => frames.length === 1);
  send({ messages: [[1, toCyd]] });
  await until(() => results().has(1));
  const result = results().get(1) as { message: { id: string } };
  const count = frames.length;
  await until(() => frames.length > count + 1);
  const [first, last] = [frames[0]?.beat, frames.at(-1)?.beat];
  expect(first?.name).toBe(result.message.id.slice(12, 18));
  expect([String(first?.position) < result.message.id, String(last?.position) > result.message.id]).toEqual([
    true,
    true,
  ]);
});

it.each([
  ["another secret", "wrong", "/internal/stream"],
  ["no secret", "", "/internal/stream"],
  ["another path", TEST_SECRET, "/internal/other"],
])("refuses a stream with %s", async (_, secret, path) => {
  await expect(open(secret, path)).rejects.toThrow("404");
});

it("closes a stream with an invalid frame, and serves the others", async () => {
  const [broken, other] = [await open(), await open()];
  const closed = new Promise((resolve) => broken.socket.once("close", resolve));
  broken.socket.send("{not json");
  await closed;
  other.send({ messages: [[1, aMessage()]] });
  await until(() => other.results().has(1));
});

it("survives an instance whose connection fails while its stream is refused", async () => {
  const sockets: Duplex[] = [];
  service.server.prependOnceListener("upgrade", (_, socket) => sockets.push(socket));
  await expect(open("wrong")).rejects.toThrow("404");
  // Without a listener, this throws.
  sockets[0]?.emit("error", new Error("ECONNRESET"));
  expect(sockets).toHaveLength(1);
});

it("finishes its requests when it ends, and tells the instances to use another process", async () => {
  const { send, results, frames, socket } = await open();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const response = Promise.withResolvers<void>();
  users.beforeResponse = () => response.promise;
  users.lookedUp.length = 0;
  send({ messages: [[1, aMessage()]] });
  await until(() => users.lookedUp.length > 0);
  const drained = service.drain();
  await until(() => frames.at(-1)?.is_draining === true);
  // Longer than it takes to end without requests.
  await pause(200);
  response.resolve();
  await drained;
  await closed;
  expect(results().get(1)).toMatchObject({ message: { seq: expect.any(Number) } });
  users.beforeResponse = async () => undefined;
});
