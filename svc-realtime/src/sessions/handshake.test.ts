import { connect, type Socket } from "node:net";
import { createOtherServices, eventually, type Instance, pause, startInstance } from "../../testing/realtime.ts";

const services = createOtherServices([]);
let instance: Instance;
const sockets: Socket[] = [];

beforeEach(async () => {
  services.state.usersAreAway = false;
  instance = await startInstance("one", services, { connectionsPerAddress: 3 });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await instance.close();
});

const poll = (cookie?: string) =>
  fetch(`${instance.url}/socket.io/?EIO=4&transport=polling`, { headers: cookie ? { cookie } : {} });

/** The status of a WebSocket handshake, which stays open. */
function upgrade(cookie: string): Promise<number> {
  const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
  sockets.push(socket);
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const head = `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n${key}`;
  socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once("data", (data) => resolve(Number(String(data).split(" ")[1])));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed without an answer")));
  });
}
const connections = () => instance.realtime.io.engine.clientsCount;

it.each(["", "messageoh_session=forged", "other=TOKEN-ann"])(
  "creates no connection for the cookie %j",
  async (cookie) => {
    const answer = await poll(cookie);
    expect([answer.status, await answer.json()]).toEqual([401, { error: "Please log in" }]);
    expect(await upgrade(cookie)).toBe(401);
    expect(connections()).toBe(0);
  },
);

it("answers 503 while sessions cannot be checked", async () => {
  services.state.usersAreAway = true;
  expect((await poll("messageoh_session=TOKEN-ann")).status).toBe(503);
  expect(await upgrade("messageoh_session=TOKEN-ann")).toBe(503);
  expect(connections()).toBe(0);
});

it("creates no more connections than an address may hold, however many begin at once", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => upgrade("messageoh_session=TOKEN-ann")));
  expect(answers.filter((status) => status === 101)).toHaveLength(3);
  expect(answers.filter((status) => status === 429)).toHaveLength(9);
  expect(connections()).toBe(3);
});

it("survives a client that goes away while its session is checked", async () => {
  for (let n = 0; n < 20; n += 1) {
    const open = upgrade("messageoh_session=TOKEN-ann").catch(() => {});
    sockets.at(-1)?.resetAndDestroy();
    await open;
  }
  await pause(50);
  expect((await poll("messageoh_session=TOKEN-ann")).status).toBe(200);
  await eventually(connections, (count) => count === 1);
});

it("closes a connection on which no socket connects", async () => {
  expect(await upgrade("messageoh_session=TOKEN-ann")).toBe(101);
  await eventually(connections, (count) => count === 0, 11_000);
}, 15_000);
