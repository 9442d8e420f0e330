import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { exchange, freePort, until } from "@messageoh/stack/ports";
import { Link } from "./link.ts";

/** Time in which bytes that nothing blocks have arrived. */
const PASSED_MS = 100;
let server: Server;
let link: Link;
const clients: Socket[] = [];

/** Starts a server that responds with every byte that it receives. */
async function serveEcho(port: number): Promise<void> {
  server = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

async function open(): Promise<Socket> {
  const client = connect({ host: "127.0.0.1", port: link.port });
  client.on("error", () => {});
  clients.push(client);
  await once(client, "connect");
  return client;
}

/** Resolves with everything that arrives, once it ends with `last`. */
async function readUntil(client: Socket, last: string): Promise<string> {
  let text = "";
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.endsWith(last)) return text;
  }
  return text;
}

beforeEach(async () => {
  const target = await freePort();
  await serveEcho(target);
  link = new Link("one", "other", await freePort(), target);
  await link.listen();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  link.close();
  server.close();
});

it("keeps the order of bytes that are delayed, stalled and limited", async () => {
  link.set({ delayMs: 5, jitterMs: 20, stallShare: 0.2, stallMs: 30, bytesPerSecond: 100_000 });
  const client = await open();
  const words = Array.from({ length: 40 }, (_, index) => `${index} `);
  for (const word of words) {
    client.write(word);
    await new Promise((resolve) => setImmediate(resolve));
  }
  client.write("end");
  expect(await readUntil(client, "end")).toBe(`${words.join("")}end`);
});

it.each(["blocksRequests", "blocksResponses"] as const)(
  "delivers with %s nothing until the fault ends",
  async (name) => {
    const client = await open();
    client.write("before ");
    await readUntil(client, "before ");
    link.set({ [name]: true });
    let isBlocked = true;
    client.write("during");
    const arrived = readUntil(client, "during").then((text) => [text, isBlocked]);
    // A connection that opens in this time is accepted, and waits as well.
    const second = await open();
    second.write("second");
    await pause(PASSED_MS);
    isBlocked = false;
    link.set({});
    expect(await arrived).toEqual(["during", false]);
    expect(await readUntil(second, "second")).toBe("second");
  },
);

it("passes all of a large transfer through a limit of waiting bytes", async () => {
  const client = await open();
  link.set({ blocksResponses: true });
  const text = `${"x".repeat(3_000_000)}end`;
  client.write(text);
  await pause(PASSED_MS);
  link.set({});
  expect((await readUntil(client, "end")).length).toBe(text.length);
});

it("stalls the busiest connection alone for a time", async () => {
  const [busy, other] = [await open(), await open()];
  busy.write("busy");
  await readUntil(busy, "busy");
  link.stallOne(200);
  const stalledAt = performance.now();
  busy.write("late");
  other.write("soon");
  const late = readUntil(busy, "late");
  expect(await Promise.race([late, readUntil(other, "soon")])).toBe("soon");
  expect(await late).toBe("late");
  expect(performance.now() - stalledAt).toBeGreaterThanOrEqual(190);
});

it("resets connections", async () => {
  const client = await open();
  client.write("hello");
  await readUntil(client, "hello");
  link.reset();
  const [error] = await once(client, "error");
  expect(error).toMatchObject({ code: "ECONNRESET" });
});

it("refuses connections while its target is down, and serves the restarted one", async () => {
  const { port } = server.address() as { port: number };
  server.close();
  const isRefused = () =>
    open().then(
      (client) => new Promise<boolean>((resolve) => client.once("close", () => resolve(false))),
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
  expect(await until(isRefused, 10_000)).toBe(true);
  await serveEcho(port);
  const serves = async () =>
    !(await Promise.race([isRefused(), exchange(link.port, "hello").then((answer) => !answer)]));
  expect(await until(serves, 10_000)).toBe(true);
  const client = await open();
  client.write("again");
  expect(await readUntil(client, "again")).toBe("again");
});

it("forwards new connections to another port after a failover", async () => {
  const other = createServer((socket) => socket.on("error", () => {}).end("promoted"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  link.retarget((other.address() as { port: number }).port);
  expect(await readUntil(await open(), "promoted")).toBe("promoted");
  other.close();
});
