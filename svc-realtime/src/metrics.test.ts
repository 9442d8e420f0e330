import { type MessagesEvent, userChannel } from "@messageoh/contracts/bus";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import {
  type Client,
  connectClient,
  createOtherServices,
  eventually,
  type Instance,
  pause,
  startInstance,
} from "../testing/realtime.ts";

const services = createOtherServices([
  { thread_id: "ann-bob", user_ids: ["ann", "bob"], created_at: "2026-01-01T00:00:00.000Z" },
]);
const toBob = { thread_id: "ann-bob", sending_user_id: "ann", recipient_user_id: "bob", text: "hello" };
let instance: Instance;
const clients: Client[] = [];

beforeAll(async () => {
  instance = await startInstance("one", services);
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await instance.close();
});

async function connect(name: string | null, options?: object): Promise<Client> {
  const client = await connectClient(instance, name && `TOKEN-${name}`, options);
  clients.push(client);
  return client;
}
const metric = (name: string, labels?: Record<string, string>) =>
  readMetric(instance.url, `messageoh_realtime_${name}`, labels);
const batcher = (name: string) => readMetric(instance.url, `messageoh_batcher_${name}`, { batcher: "send" });
const publish = (event: MessagesEvent) => instance.redis.publisher.publish(userChannel("bob"), JSON.stringify(event));

it("counts sockets by transport, as they come and go", async () => {
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
  services.state.usersAreAway = true;
  await expect(connect("cyd")).rejects.toThrow();
  services.state.usersAreAway = false;
  expect(await metric("refused_connections_total", { reason: "unauthorised" })).toBe(1);
  expect(await metric("refused_connections_total", { reason: "not_checked" })).toBe(1);
});

it("counts sends, the calls they were made with, and how long these took", async () => {
  const ann = await connect("ann");
  services.state.messagesAreAway = true;
  const sent = Array.from({ length: 4 }, () => ann.emitWithAck("send_message", toBob));
  while ((await batcher("waiting_items")) < 4) await pause(5);
  services.state.messagesAreAway = false;
  await Promise.all(sent);
  expect(await metric("sends_total")).toBe(4);
  expect(await metric("failed_batches_total")).toBeGreaterThan(0);
  expect(await batcher("batch_items_sum")).toBeGreaterThanOrEqual(4);
  // What failed took no time to store.
  expect(await metric("persist_seconds_count")).toBe(
    (await batcher("batch_items_count")) - (await metric("failed_batches_total")),
  );
  expect(await batcher("waiting_items")).toBe(0);
});

it("counts refused events by event and reason", async () => {
  const [ann, eve] = [await connect("ann"), await connect("eve")];
  await ann.emitWithAck("send_message", { ...toBob, text: "" });
  await ann.emitWithAck("send_message", { ...toBob, sending_user_id: "bob" });
  await eve.emitWithAck("join_room", { sending_user_id: "eve", recipient_user_id: "bob" });
  services.state.messagesAreAway = true;
  await ann.emitWithAck("message_delivered", { thread_id: "ann-bob", seq: 1 });
  services.state.messagesAreAway = false;
  const refused = (event: string, reason: string) => metric("refused_events_total", { event, reason });
  expect(await refused("send_message", "invalid")).toBe(1);
  expect(await refused("send_message", "not_allowed")).toBe(1);
  expect(await refused("join_room", "not_allowed")).toBe(1);
  expect(await refused("message_delivered", "busy")).toBe(1);
});

it("counts deliveries, repetitions and what only the database brought, and how long events took", async () => {
  const bob = await connect("bob");
  const stored = () => services.store({ ...toBob, client_id: "c", request_id: "r", origin: "" });
  const message = stored();
  const items = [{ message, is_repeat: false, origin: "", request_id: "r" }];
  const event: MessagesEvent = { type: "messages", published_at: Date.now() - 700, items };
  await publish(event);
  await publish(event);
  while ((await metric("duplicate_messages_total")) === 0) await pause(5);
  const missed = stored();
  instance.redis.subscriber.stream.destroy();
  await eventually(
    () => bob.seen.map(([, payload]) => (payload as { id?: string } | undefined)?.id),
    (ids) => ids.includes(missed.id),
  );
  expect(await metric("deliveries_total")).toBe(1);
  expect(await metric("duplicate_messages_total")).toBe(1);
  expect(await metric("replayed_messages_total")).toBeGreaterThanOrEqual(1);
  expect(await metric("delivery_seconds_count")).toBe(2);
  expect(await metric("delivery_seconds_bucket", { le: "0.5" })).toBe(0);
  expect(await metric("delivery_seconds_sum")).toBeGreaterThanOrEqual(0.7);
});
