import { type MessagesEvent, userChannel } from "@messageoh/contracts/bus";
import { aNewMessage } from "@messageoh/contracts/testing/messages";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { cutRedis } from "@messageoh/service-kit/testing/redis";
import { until } from "@messageoh/service-kit/testing/until";
import { type Client, connectClient, disconnectClient } from "../testing/client.ts";
import { createFakeServices, type Instance, startInstance } from "../testing/instance.ts";
import { eventually } from "../testing/waiting.ts";

const services = createFakeServices([
  { thread_id: "ann-bob", user_ids: ["ann", "bob"], created_at: "2026-01-01T00:00:00.000Z" },
  { thread_id: "ann-dan", user_ids: ["ann", "dan"], created_at: "2026-01-01T00:00:00.000Z" },
]);
const toBob = { thread_id: "ann-bob", sending_user_id: "ann", recipient_user_id: "bob", text: "hello" };
let instance: Instance;
const clients: Client[] = [];

beforeAll(async () => {
  instance = await startInstance("one", services);
});
afterAll(async () => {
  await Promise.all(clients.map(disconnectClient));
  await instance.close();
});

async function connect(name: string | null, options?: object): Promise<Client> {
  const client = await connectClient(instance.url, name && `TOKEN-${name}`, options);
  clients.push(client);
  return client;
}
const metric = (name: string, labels?: Record<string, string>) =>
  readMetric(instance.url, `messageoh_realtime_${name}`, labels);
const publish = (event: MessagesEvent) => instance.publish([[userChannel("bob"), event]]);

it("counts connected sockets by transport", async () => {
  const polling = await connect("ann", { transports: ["polling"] });
  await Promise.all([connect("ann", { transports: ["websocket"] }), connect("bob", { transports: ["websocket"] })]);
  expect([
    await metric("sockets", { transport: "polling" }),
    await metric("sockets", { transport: "websocket" }),
  ]).toEqual([1, 2]);
  polling.disconnect();
  await eventually(
    () => instance.realtime.io.sockets.sockets.size,
    (size) => size === 2,
  );
  expect([
    await metric("sockets", { transport: "polling" }),
    await metric("sockets", { transport: "websocket" }),
  ]).toEqual([0, 2]);
});

it("counts refused handshakes by reason", async () => {
  await expect(connect(null)).rejects.toThrow("unauthorised");
  services.users.isDown = true;
  await expect(connect("cyd")).rejects.toThrow();
  services.users.isDown = false;
  expect(await metric("refused_connections_total", { reason: "unauthorised" })).toBe(1);
  expect(await metric("refused_connections_total", { reason: "dependency_failed" })).toBe(1);
});

it("counts sends, those that wait and those that are sent again, and measures the requests with a result", async () => {
  const ann = await connect("ann");
  services.messages.isDown = true;
  // Dan is offline, so that these messages do not count as backfilled later.
  const toDan = { ...toBob, thread_id: "ann-dan", recipient_user_id: "dan" };
  const sent = Array.from({ length: 4 }, () => ann.emitWithAck("send_message", toDan));
  await until(async () => (await metric("waiting_messages")) === 4);
  services.messages.isDown = false;
  await Promise.all(sent);
  expect(await metric("sends_total")).toBe(4);
  expect(await metric("store_retries_total")).toBeGreaterThan(0);
  expect(await metric("store_seconds_count")).toBe(4);
  expect(await metric("waiting_messages")).toBe(0);
});

it("counts refused events by event and reason", async () => {
  const [ann, eve] = [await connect("ann"), await connect("eve")];
  await ann.emitWithAck("send_message", { ...toBob, text: "" });
  await ann.emitWithAck("send_message", { ...toBob, sending_user_id: "bob" });
  await eve.emitWithAck("join_room", { sending_user_id: "eve", recipient_user_id: "bob" });
  services.messages.isDown = true;
  await ann.emitWithAck("message_delivered", { thread_id: "ann-bob", seq: 1 });
  services.messages.isDown = false;
  const refused = (event: string, reason: string) => metric("refused_events_total", { event, reason });
  expect(await refused("send_message", "invalid")).toBe(1);
  expect(await refused("send_message", "not_allowed")).toBe(1);
  expect(await refused("join_room", "not_allowed")).toBe(1);
  expect(await refused("message_delivered", "busy")).toBe(1);
});

it("counts deliveries, duplicates and backfilled messages", async () => {
  const bob = await connect("bob");
  const deliveriesBefore = await metric("deliveries_total");
  // Dan is offline, so that only bob's copies count.
  const storeMessage = () => services.messages.store(aNewMessage({ sending_user_id: "dan" }));
  const message = storeMessage();
  const items = [{ message, is_repeat: false, origin: "", request_id: "r" }];
  const event: MessagesEvent = { type: "messages", items };
  await publish(event);
  await publish(event);
  await until(async () => (await metric("duplicate_messages_total")) > 0);
  const missed = storeMessage();
  await cutRedis(instance.redis.subscriber);
  await eventually(
    () => bob.received.map(([, payload]) => (payload as { id?: string } | undefined)?.id),
    (ids) => ids.includes(missed.id),
  );
  expect(await metric("deliveries_total")).toBe(deliveriesBefore + 1);
  expect(await metric("duplicate_messages_total")).toBeGreaterThanOrEqual(1);
  expect(await metric("backfilled_messages_total")).toBe(1);
});
