import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createFakeServices, type Instance, startInstance } from "../../testing/instance.ts";
import { eventually, pause } from "../../testing/waiting.ts";

const services = createFakeServices([]);
let instance: Instance;
const sockets: Socket[] = [];

beforeEach(async () => {
  services.users.isDown = false;
  instance = await startInstance("one", services, { connectionsPerAddress: 3 });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await instance.close();
});

const poll = (cookie?: string, query = "") =>
  fetch(`${instance.url}/socket.io/?EIO=4&transport=polling${query}`, { headers: cookie ? { cookie } : {} });

/** Performs a WebSocket handshake and leaves the connection open. Resolves to the status. */
function upgrade(cookie: string, query = ""): Promise<number> {
  const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
  sockets.push(socket);
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const head = `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n${key}`;
  socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once("data", (data) => resolve(Number(String(data).split(" ")[1])));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed without a response")));
  });
}
const connections = () => instance.realtime.io.engine.clientsCount;

it.each(["", "messageoh_session=forged", "other=TOKEN-ann"])(
  "creates no connection for the cookie %j",
  async (cookie) => {
    const response = await poll(cookie);
    expect([response.status, await response.json()]).toEqual([401, { error: "Please log in" }]);
    expect(await upgrade(cookie)).toBe(401);
    expect(connections()).toBe(0);
  },
);

it.each(["&sid", "&sid=", "&sid=&sid=", "&sid=one.x&sid=", "&sid=#"])(
  "creates no connection for the connection id %j without a session",
  async (query) => {
    expect([(await poll("", query)).status, await upgrade("", query)]).toEqual([401, 401]);
    expect(connections()).toBe(0);
  },
);

it("responds with 503 while sessions cannot be checked", async () => {
  services.users.isDown = true;
  expect((await poll("messageoh_session=TOKEN-ann")).status).toBe(503);
  expect(await upgrade("messageoh_session=TOKEN-ann")).toBe(503);
  expect(connections()).toBe(0);
});

it("limits the connections of an address when many handshakes arrive at once", async () => {
  const statuses = await Promise.all(Array.from({ length: 12 }, () => upgrade("messageoh_session=TOKEN-ann")));
  expect(statuses.filter((status) => status === 101)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(9);
  expect(connections()).toBe(3);
});

it("survives a client that disconnects during the session check", async () => {
  for (let n = 0; n < 20; n += 1) {
    const handshake = upgrade("messageoh_session=TOKEN-ann").catch(() => {});
    sockets.at(-1)?.resetAndDestroy();
    await handshake;
  }
  await pause(50);
  expect((await poll("messageoh_session=TOKEN-ann")).status).toBe(200);
  await eventually(connections, (count) => count === 1);
});

it("survives a client that upgrades another path and resets its connection, and closes another such one", async () => {
  const clients = [0, 1].map(() => connect(Number(new URL(instance.url).port), "127.0.0.1")) as [Socket, Socket];
  for (const client of clients) {
    client.write("GET /other HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  }
  const [resetting, waiting] = clients;
  const closed = once(waiting.resume(), "close");
  await pause(50);
  resetting.resetAndDestroy();
  await pause(50);
  expect((await poll("messageoh_session=TOKEN-ann")).status).toBe(200);
  // Engine.IO closes it after a second. Its timer would keep the process of the test alive.
  await closed;
});

it("closes a connection on which no socket connects", async () => {
  const { io } = instance.realtime;
  expect(io.connectTimeout()).toBe(10_000);
  io.connectTimeout(200);
  expect(await upgrade("messageoh_session=TOKEN-ann")).toBe(101);
  await eventually(connections, (count) => count === 0);
});
