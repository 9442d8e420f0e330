import {
  type Client,
  connectClient,
  createOtherServices,
  eventually,
  type Instance,
  startInstance,
} from "./testing.ts";

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

it("lets a user write a burst, makes the next ones wait in order, and refuses what is too much for now", async () => {
  // The twelve must arrive before a place is free again, also on a busy machine.
  await start({ sends: { rate: { count: 5, seconds: 2.5 }, waitingMax: 3, waitingTotalMax: 100 } });
  const [here, there] = [await connect("ann"), await connect("ann")];
  const bob = await connect("bob");
  services.state.stored.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      here.timeout(5_000).emitWithAck("send_message", { ...toBob, text: String(n) }),
    ),
  );
  const refused = answers.filter((answer) => "error" in answer);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer).toEqual({ error: expect.stringContaining("too fast"), is_retryable: true });
  }
  const texts = services.state.stored.map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: 12 - refused.length }, (_, n) => String(n)));
  expect(here.seen).toContainEqual(["sends_waiting", { for_ms: expect.any(Number) }]);
  // The other tab and the friend are not told, and another user is not slowed down.
  expect([...there.seen, ...bob.seen].map(([name]) => name)).not.toContain("sends_waiting");
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
  await start({ eventsPerSocket: { count: 10, seconds: 3_600 } });
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
