import { SENDING_TOO_FAST, SENT_ENOUGH_TODAY, TOO_FAST } from "@messageoh/contracts/errorTexts";
import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import {
  type Client,
  connectClient,
  createOtherServices,
  eventually,
  type Instance,
  PLENTY_OF_EVENTS,
  pause,
  startInstance,
} from "../../testing/realtime.ts";
import { LIMIT_OF, RATE_LIMITS } from "./eventLimits.ts";

const thread = {
  thread_id: "ann-bob",
  user_ids: ["ann", "bob"] as [string, string],
  created_at: "2026-01-01T00:00:00Z",
};
const toBob = { thread_id: "ann-bob", sending_user_id: "ann", recipient_user_id: "bob", read: false };

const services = createOtherServices([thread]);
const clients: Client[] = [];
let instance: Instance;

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await instance.close();
});

async function start(limits: Parameters<typeof startInstance>[2]): Promise<void> {
  instance = await startInstance("one", services, limits);
}
async function connect(name: string, options: object = {}): Promise<Client> {
  const client = await connectClient(instance, `TOKEN-${name}`, options);
  clients.push(client);
  return client;
}

it("refuses messages beyond a user's limit, to be sent again later", async () => {
  await start({ events: { ...PLENTY_OF_EVENTS, sends: { count: 5, seconds: 2 } } });
  const [here, there] = [await connect("ann"), await connect("ann")];
  const send = (client: Client, text: string) => client.timeout(5_000).emitWithAck("send_message", { ...toBob, text });
  const answers = await Promise.all(["0", "1", "2", "3", "4", "5", "6"].map((text) => send(here, text)));
  expect(answers.slice(0, 5)).toMatchObject(["0", "1", "2", "3", "4"].map((text) => ({ message: { text } })));
  const refused = { error: SENDING_TOO_FAST, is_retryable: true };
  expect(answers.slice(5)).toEqual([refused, refused]);
  // The limit holds for the user, whichever socket sends, and for no one else.
  expect(await send(there, "7")).toEqual(refused);
  const bob = await connect("bob");
  const toAnn = { ...toBob, sending_user_id: "bob", recipient_user_id: "ann" };
  expect(await bob.emitWithAck("send_message", { ...toAnn, text: "hi" })).toMatchObject({ message: { text: "hi" } });
  expect(services.state.stored.map(({ text }) => text)).toEqual(["0", "1", "2", "3", "4", "hi"]);
  await pause(2_100);
  expect(await send(here, "5")).toMatchObject({ message: { text: "5" } });
});

it.each([
  ["short messages", { dailyBytes: { count: 5_000, seconds: 60 } }, "a"],
  ["bytes", { dailyBytes: { count: 20_000, seconds: 60 } }, "文".repeat(3_000)],
])("refuses for good what exceeds a day's quota of %s, of that user alone", async (_, quota, text) => {
  await start({ events: { ...PLENTY_OF_EVENTS, ...quota } });
  const [ann, bob] = [await connect("ann"), await connect("bob")];
  const send = () => ann.timeout(5_000).emitWithAck("send_message", { ...toBob, text });
  for (let count = 0; count < 2; count += 1) expect(await send()).toMatchObject({ message: { text } });
  expect(await send()).toEqual({ error: SENT_ENOUGH_TODAY, is_retryable: false });
  const toAnn = { ...toBob, sending_user_id: "bob", recipient_user_id: "ann", text };
  expect(await bob.emitWithAck("send_message", toAnn)).toMatchObject({ message: { text } });
});

it("refuses a user's one socket too many, in words", async () => {
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

it("refuses one address's connection too many with 429, and a time to wait", async () => {
  await start({ connectionsPerAddress: 2 });
  const extraHeaders = { cookie: "messageoh_session=TOKEN-ann", "x-forwarded-for": "1.2.3.4, 203.0.113.7" };
  const first = await connect("ann", { extraHeaders });
  await connect("ann", { extraHeaders });
  const answer = await fetch(`${instance.url}/socket.io/?EIO=4&transport=polling`, { headers: extraHeaders });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "10"]);
  expect(await answer.json()).toEqual({ error: "Too many connections from your network, please close some" });
  await expect(connect("ann", { extraHeaders, transports: ["websocket"] })).rejects.toThrow("websocket error");
  await connect("ann", { extraHeaders: { ...extraHeaders, "x-forwarded-for": "203.0.113.8" } });
  first.disconnect();
  await eventually(
    () => instance.realtime.io.engine.clientsCount,
    (count) => count === 2,
  );
  await connect("ann", { extraHeaders });
});

it("refuses events beyond a socket's budget, known or not, and cuts off who goes on", async () => {
  await start({ events: { ...PLENTY_OF_EVENTS, events: { count: 10, seconds: 3_600 } } });
  const ann = await connect("ann");
  const join = () => ann.timeout(5_000).emitWithAck("join_add_friend_room", { current_user_id: "ann" });
  const raw = ann as unknown as { emit: (name: string, payload: unknown) => void };
  for (let n = 0; n < 9; n += 1) raw.emit("anything", { n });
  expect(await join()).toEqual({});
  expect(await join()).toEqual({ error: "Too much at once, please wait a moment", is_retryable: true });
  for (let n = 0; n < 10; n += 1) raw.emit("anything", { n });
  await eventually(
    () => ann.connected,
    (isConnected) => !isConnected,
  );
});

it.each(Object.keys(clientEvents) as ClientEventName[])("refuses %s beyond the user's limit, unread", async (name) => {
  await start({ events: { ...PLENTY_OF_EVENTS, [LIMIT_OF[name]]: { count: 2, seconds: 3_600 } } });
  const clients = [await connect("ann"), await connect("ann")];
  const answers: { error?: string }[] = [];
  for (const client of [...clients, ...clients]) {
    const emit = client.timeout(5_000) as unknown as {
      emitWithAck: (name: string, payload: unknown) => Promise<object>;
    };
    answers.push(await emit.emitWithAck(name, "invalid"));
  }
  const isTooFast = answers.map(({ error }) => error === RATE_LIMITS[LIMIT_OF[name]].text);
  expect(isTooFast).toEqual([false, false, true, true]);
});

it("counts an invalid event as 30, so that a client that sends nothing else is cut off soon", async () => {
  await start({ events: { ...PLENTY_OF_EVENTS, events: { count: 60, seconds: 3_600 } } });
  const ann = await connect("ann");
  const send = () => ann.timeout(5_000).emitWithAck("send_message", { ...toBob, thread_id: "..", text: "hi" });
  expect(await send()).toEqual({ error: "No such id", is_retryable: false });
  expect(await send()).toEqual({ error: "No such id", is_retryable: false });
  expect(await send()).toEqual({ error: TOO_FAST, is_retryable: true });
});
