import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { SENDING_TOO_FAST, SENT_ENOUGH_TODAY } from "@messageoh/contracts/errorTexts";
import { listThreadsOfUsers } from "@messageoh/contracts/internal/users";
import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import type { Rate } from "@messageoh/service-kit/rateLimit";
import { WebSocket } from "ws";
import { type Client, connectClient, disconnectClient } from "../../testing/client.ts";
import { createFakeServices, type Instance, startInstance, UNLIMITED_EVENTS } from "../../testing/instance.ts";
import { eventually, pause } from "../../testing/waiting.ts";
import { LIMIT_OF, RATE_LIMITS } from "./eventLimits.ts";
import { webSocketOf } from "./webSocket.ts";

const thread = {
  thread_id: "ann-bob",
  user_ids: ["ann", "bob"] as [string, string],
  created_at: "2026-01-01T00:00:00Z",
};
const toBob = { thread_id: "ann-bob", sending_user_id: "ann", recipient_user_id: "bob", read: false };

const threads = [thread];
const services = createFakeServices(threads);
const clients: Client[] = [];
let instance: Instance;

afterEach(async () => {
  await Promise.all([instance.close(), ...clients.splice(0).map(disconnectClient)]);
});

async function start(limits: Parameters<typeof startInstance>[2]): Promise<void> {
  instance = await startInstance("one", services, limits);
}
async function connect(name: string, options: object = {}): Promise<Client> {
  const client = await connectClient(instance.url, `TOKEN-${name}`, options);
  clients.push(client);
  return client;
}

it("refuses messages over a user's rate limit as retryable", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, sends: { count: 5, seconds: 2 } } });
  const [ann, annElsewhere] = [await connect("ann"), await connect("ann")];
  const send = (client: Client, text: string) => client.timeout(5_000).emitWithAck("send_message", { ...toBob, text });
  const acks = await Promise.all(["0", "1", "2", "3", "4", "5", "6"].map((text) => send(ann, text)));
  expect(acks.slice(0, 5)).toMatchObject(["0", "1", "2", "3", "4"].map((text) => ({ message: { text } })));
  const refused = { error: SENDING_TOO_FAST, is_retryable: true };
  expect(acks.slice(5)).toEqual([refused, refused]);
  // The limit counts all sockets of the user, and no other user.
  expect(await send(annElsewhere, "7")).toEqual(refused);
  const bob = await connect("bob");
  const toAnn = { ...toBob, sending_user_id: "bob", recipient_user_id: "ann" };
  expect(await bob.emitWithAck("send_message", { ...toAnn, text: "hi" })).toMatchObject({ message: { text: "hi" } });
  expect(services.messages.stored.map(({ text }) => text)).toEqual(["0", "1", "2", "3", "4", "hi"]);
  await pause(2_100);
  expect(await send(ann, "5")).toMatchObject({ message: { text: "5" } });
});

it.each([
  ["short messages", { daily_bytes: { count: 5_000, seconds: 60 } }, "a"],
  ["bytes", { daily_bytes: { count: 20_000, seconds: 60 } }, "文".repeat(3_000)],
])("refuses messages over a user's daily quota of %s as final", async (_, quota, text) => {
  await start({ events: { ...UNLIMITED_EVENTS, ...quota } });
  // The tests share one Redis, where the quota counts by user.
  const [one, other] = [0, 1].map(() => `user${randomBytes(4).toString("hex")}`) as [string, string];
  const pair = { thread_id: `${one}-${other}`, sending_user_id: one, recipient_user_id: other, read: false };
  threads.push({ ...thread, thread_id: pair.thread_id, user_ids: [one, other] });
  const [ann, bob] = [await connect(one), await connect(other)];
  const send = () => ann.timeout(5_000).emitWithAck("send_message", { ...pair, text });
  for (let count = 0; count < 2; count += 1) expect(await send()).toMatchObject({ message: { text } });
  expect(await send()).toEqual({ error: SENT_ENOUGH_TODAY, is_retryable: false });
  const toAnn = { ...pair, sending_user_id: other, recipient_user_id: one, text };
  expect(await bob.emitWithAck("send_message", toAnn)).toMatchObject({ message: { text } });
});

describe("the daily quota", () => {
  const quota = { ...UNLIMITED_EVENTS, daily_bytes: { count: 100_000, seconds: 600 } };
  const others: Instance[] = [];
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
  });

  /** Sends short messages of a user until one is refused, and returns how many were accepted. */
  async function sendUntilRefused(url: string, name: string): Promise<number> {
    const sender = await connectClient(url, `TOKEN-${name}`);
    clients.push(sender);
    const payload = { ...toBob, thread_id: `${name}-bob`, sending_user_id: name, text: "a" };
    for (let count = 0; ; count += 1) {
      const ack = await sender.timeout(5_000).emitWithAck("send_message", payload);
      if ("error" in ack) {
        expect(ack).toEqual({ error: SENT_ENOUGH_TODAY, is_retryable: false });
        return count;
      }
      // An instance accepts messages until Redis has told it about the use of the others.
      await pause(20);
    }
  }
  function createUser(): string {
    const name = `user${randomBytes(4).toString("hex")}`;
    threads.push({ ...thread, thread_id: `${name}-bob`, user_ids: [name, "bob"] });
    return name;
  }

  it("counts the messages of a user on all instances together", async () => {
    await start({ events: quota });
    const other = await startInstance("two", services, { events: quota });
    others.push(other);
    const name = createUser();
    expect(await sendUntilRefused(instance.url, name)).toBe(40);
    expect(await sendUntilRefused(other.url, name)).toBeLessThan(40);
  });

  it("survives a restart of the instance", async () => {
    const name = createUser();
    await start({ events: quota });
    expect(await sendUntilRefused(instance.url, name)).toBe(40);
    await instance.close();
    await start({ events: quota });
    expect(await sendUntilRefused(instance.url, name)).toBeLessThan(40);
  });
});

it("refuses connections over a user's limit with a readable error", async () => {
  await start({ connectionsPerUser: 2 });
  await connect("ann");
  const second = await connect("ann");
  await expect(connect("ann")).rejects.toThrow("Messageoh is open too many times, please close some tabs");
  await connect("bob");
  second.disconnect();
  await eventually(
    () => instance.realtime.io.sockets.sockets.size,
    (size) => size === 2,
  );
  await connect("ann");
});

it("refuses connections over an address's limit with 429 and Retry-After", async () => {
  await start({ connectionsPerAddress: 2 });
  const extraHeaders = { cookie: "messageoh_session=TOKEN-ann", "x-forwarded-for": "1.2.3.4, 203.0.113.7" };
  const first = await connect("ann", { extraHeaders });
  await connect("ann", { extraHeaders });
  const response = await fetch(`${instance.url}/socket.io/?EIO=4&transport=polling`, { headers: extraHeaders });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "10"]);
  expect(await response.json()).toEqual({ error: "Too many connections from your network, please close some" });
  await expect(connect("ann", { extraHeaders, transports: ["websocket"] })).rejects.toThrow("websocket error");
  await connect("ann", { extraHeaders: { ...extraHeaders, "x-forwarded-for": "203.0.113.8" } });
  first.disconnect();
  await eventually(
    () => instance.realtime.io.engine.clientsCount,
    (count) => count === 2,
  );
  await connect("ann", { extraHeaders });
});

const WEBSOCKET = { transports: ["websocket"] };
const join = (client: Client, name: string) =>
  client.timeout(500).emitWithAck("join_add_friend_room", { current_user_id: name });
const emitUnknown = (client: Client) => client.emit("unknown" as never, ...([{}] as never));

const webSocketsOf = (name: string) =>
  [...instance.realtime.io.sockets.sockets.values()]
    .filter(({ data }) => data.user.id === name)
    .map(({ conn }) => webSocketOf(conn));

it("stops reading from a user over the rate limit, and continues to read from others", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 20, seconds: 3_600 } } });
  const [ann, bob] = [await connect("ann", WEBSOCKET), await connect("bob", WEBSOCKET)];
  for (let n = 0; n < 50; n += 1) emitUnknown(ann);
  await eventually(
    () => webSocketsOf("ann")[0]?.isPaused,
    (isPaused) => isPaused === true,
  );
  await expect(join(ann, "ann")).rejects.toThrow("timed out");
  expect(await join(bob, "bob")).toEqual({});
  expect([ann.connected, webSocketsOf("bob")[0]?.isPaused]).toEqual([true, false]);
});

it.each([
  ["one packet too many before a socket connects", Array.from({ length: 61 }, () => "40/admin,")],
  ["packets that are longer than any event", Array.from({ length: 3 }, () => `40/${"x".repeat(20_000)},`)],
])("stops reading from a user who sends %s", async (_, packets) => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 60, seconds: 3_600 } } });
  const [[conn], client] = await Promise.all([
    once(instance.realtime.io.engine, "connection"),
    new WebSocket(`${instance.url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`, {
      headers: { cookie: "messageoh_session=TOKEN-ann" },
    } as object),
  ]);
  client.onmessage = () => {
    for (const packet of packets.splice(0)) client.send(packet);
  };
  await eventually(
    () => webSocketOf(conn)?.isPaused,
    (isPaused) => isPaused === true,
  );
  client.close();
});

it("reads again from a user as soon as the rate allows it, and loses nothing", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 20, seconds: 1 } } });
  const ann = await connect("ann", WEBSOCKET);
  for (let n = 0; n < 30; n += 1) emitUnknown(ann);
  await eventually(
    () => webSocketsOf("ann")[0]?.isPaused,
    (isPaused) => isPaused === true,
  );
  expect(await ann.timeout(10_000).emitWithAck("join_add_friend_room", { current_user_id: "ann" })).toEqual({});
});

it("stops reading all connections of a user who sends too fast, and reads them again", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 20, seconds: 1 } } });
  const [ann] = [await connect("ann", WEBSOCKET), await connect("ann", WEBSOCKET)];
  for (let n = 0; n < 30; n += 1) emitUnknown(ann);
  const arePaused = () => webSocketsOf("ann").map((webSocket) => webSocket?.isPaused);
  await eventually(arePaused, ([one, other]) => one === true && other === true);
  await eventually(arePaused, ([one, other]) => one === false && other === false);
});

it("reads more slowly from a user whose events are over their own limit", async () => {
  const [events, sends] = [100, 1].map((count) => ({ count, seconds: 3_600 })) as [Rate, Rate];
  await start({ events: { ...UNLIMITED_EVENTS, events, sends } });
  const ann = await connect("ann", WEBSOCKET);
  for (let n = 0; n < 15; n += 1) ann.emit("send_message", { ...toBob, text: `${n}` });
  await eventually(
    () => webSocketsOf("ann")[0]?.isPaused,
    (isPaused) => isPaused === true,
  );
});

it("counts 200 characters of a packet as an event", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 100, seconds: 3_600 } } });
  const ann = await connect("ann", WEBSOCKET);
  for (let n = 0; n < 3; n += 1) ann.emit("send_message", { ...toBob, text: "x".repeat(9_000) });
  await eventually(
    () => webSocketsOf("ann")[0]?.isPaused,
    (isPaused) => isPaused === true,
  );
});

it("disconnects a polling client over the rate limit", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 20, seconds: 3_600 } } });
  const ann = await connect("ann", { transports: ["polling"] });
  for (let n = 0; n < 30; n += 1) emitUnknown(ann);
  await eventually(
    () => ann.connected,
    (isConnected) => !isConnected,
  );
});

it("closes a WebSocket that probes a polling connection without end", async () => {
  await start({ events: UNLIMITED_EVENTS });
  const ann = await connect("ann", { transports: ["polling"] });
  const url = `${instance.url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket&sid=${ann.io.engine.id}`;
  const probing = new WebSocket(url, { headers: { cookie: "messageoh_session=TOKEN-ann" } });
  let pongs = 0;
  probing.on("message", () => {
    pongs += 1;
    probing.send("2probe");
  });
  await once(probing, "open");
  probing.send("2probe");
  await once(probing, "close");
  expect(pongs).toBeLessThan(25);
  expect(ann.connected).toBe(true);
});

it.each(Object.keys(clientEvents) as ClientEventName[])(
  "refuses %s over the user's rate limit without parsing it",
  async (name) => {
    await start({ events: { ...UNLIMITED_EVENTS, [LIMIT_OF[name]]: { count: 2, seconds: 3_600 } } });
    const [ann, annElsewhere] = [await connect("ann"), await connect("ann")];
    const errors: (string | undefined)[] = [];
    for (const client of [ann, annElsewhere, ann, annElsewhere]) {
      const ack: { error?: string } = await client.timeout(5_000).emitWithAck(name, "invalid" as never);
      errors.push(ack.error);
    }
    const isTooFast = errors.map((error) => error === RATE_LIMITS[LIMIT_OF[name]].text);
    expect(isTooFast).toEqual([false, false, true, true]);
  },
);

it("counts an event of a stranger as 10 events", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 100, seconds: 3_600 } } });
  const eve = await connect("eve", WEBSOCKET);
  for (let n = 0; n < 11; n += 1) eve.emit("message_delivered", { thread_id: "ann-bob", seq: 1 });
  await eventually(
    () => webSocketsOf("eve")[0]?.isPaused,
    (isPaused) => isPaused === true,
  );
});

it("counts each of too many strangers at once as 10 events, before svc-users has said that they are strangers", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 100, seconds: 3_600 } } });
  const eve = await connect("eve", WEBSOCKET);
  for (let n = 0; n < 60; n += 1) eve.emit("message_delivered", { thread_id: `unknown-${n}`, seq: 1 });
  await pause(500);
  expect(webSocketsOf("eve")[0]?.isPaused).toBe(true);
});

it("requests no list of a stranger whom a user names as the sender of a join", async () => {
  const calls = jest.spyOn(services.users, "call");
  await start({});
  const eve = await connect("eve");
  const joins = Array.from({ length: 40 }, (_, index) => ({
    sending_user_id: `stranger-${index}`,
    recipient_user_id: "eve",
  }));
  const acks = await Promise.all(joins.map((join) => eve.timeout(10_000).emitWithAck("join_room", join)));
  expect(acks).toEqual(joins.map(() => ({ error: "You are not friends", is_retryable: false })));
  const requested = calls.mock.calls
    .filter(([endpoint]) => (endpoint as object) === listThreadsOfUsers)
    .flatMap(([, input]) => (input as { body: { user_ids: string[] } }).body.user_ids);
  calls.mockRestore();
  expect(new Set(requested)).toEqual(new Set(["eve"]));
});

it("counts an invalid event as 30 events", async () => {
  await start({ events: { ...UNLIMITED_EVENTS, events: { count: 100, seconds: 3_600 } } });
  const ann = await connect("ann", { transports: ["polling"] });
  const send = () => ann.timeout(5_000).emitWithAck("send_message", { ...toBob, thread_id: "..", text: "hi" });
  for (let n = 0; n < 3; n += 1) expect(await send()).toEqual({ error: "No such id", is_retryable: false });
  ann.emit("send_message", { ...toBob, thread_id: "..", text: "hi" }, () => undefined);
  await eventually(
    () => ann.connected,
    (isConnected) => !isConnected,
  );
});
