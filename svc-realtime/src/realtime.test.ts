import { type MessagesEvent, SESSIONS_CHANNEL, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { BUSY } from "@messageoh/contracts/errorTexts";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { ThreadMembers } from "@messageoh/contracts/users";
import {
  type Client,
  connectClient,
  createOtherServices,
  eventually,
  type Instance,
  type OtherServices,
  pause,
  startInstance,
} from "../testing/realtime.ts";

const thread: ThreadMembers = {
  thread_id: "ann-bob",
  user_ids: ["ann", "bob"],
  created_at: "2026-01-01T00:00:00.000Z",
};
const another: ThreadMembers = { ...thread, thread_id: "bob-cyd", user_ids: ["bob", "cyd"] };
let services: OtherServices;
let one: Instance;
let two: Instance;
const clients: Client[] = [];

beforeEach(async () => {
  services = createOtherServices([thread, another]);
  [one, two] = await Promise.all([startInstance("one", services), startInstance("two", services)]);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await Promise.all([one.close(), two.close()]);
});

async function connect(instance: Instance, name: string | null, options?: object): Promise<Client> {
  const client = await connectClient(instance, name && `TOKEN-${name}`, options);
  clients.push(client);
  return client;
}
const toBob = { thread_id: "ann-bob", sending_user_id: "ann", recipient_user_id: "bob", text: "hello", read: false };
const publish = (userId: string, event: UserEvent | MessagesEvent) =>
  two.redis.publisher.publish(userChannel(userId), JSON.stringify(event));
const announce = (text: string, origin = "", published_at = Date.now()): { event: MessagesEvent } => {
  const message = services.store({ ...toBob, text, client_id: text, request_id: "r", origin });
  return { event: { type: "messages", published_at, items: [{ message, is_repeat: false, origin, request_id: "r" }] } };
};
const textsOf = (client: Client) =>
  client.seen.filter(([name]) => name === "receive_message").map(([, message]) => (message as { text: string }).text);
const named = (client: Client, name: string) =>
  client.seen.filter(([seen]) => seen === name).map(([, payload]) => payload);

describe("connecting", () => {
  it("needs a session", async () => {
    await expect(connect(one, null)).rejects.toThrow("unauthorised");
    await expect(connectClient(one, "forged")).rejects.toThrow("unauthorised");
  });

  it("is no verdict while sessions cannot be checked: the connection is lost, not refused", async () => {
    services.state.usersAreAway = true;
    await expect(connect(one, "ann")).rejects.not.toThrow("unauthorised");
  });

  it.each(["polling", "websocket"])(
    "by %s is for pages of its own origin and for clients without one",
    async (transport) => {
      const from = (extra: object) =>
        connectClient(one, "TOKEN-ann", {
          transports: [transport],
          extraHeaders: { cookie: "messageoh_session=TOKEN-ann", ...extra },
        }).then((client) => clients.push(client));
      await expect(from({ origin: "http://evil.example" })).rejects.toThrow();
      await expect(from({ origin: "null" })).rejects.toThrow();
      await expect(from({ "sec-fetch-site": "same-site" })).rejects.toThrow();
      await from({ origin: one.url });
      await from({});
      expect(one.realtime.io.sockets.sockets.size).toBe(2);
    },
  );

  it("is not to be had by script tags", async () => {
    const answer = await fetch(`${one.url}/socket.io/?EIO=4&transport=polling&j=0`);
    expect(answer.status).toBe(403);
  });

  it("works with polling alone and with websocket alone, and names its instance in the session id", async () => {
    for (const transport of ["polling", "websocket"]) {
      const client = await connect(one, "ann", { transports: [transport] });
      expect(client.io.engine.id).toMatch(/^one\.[\w-]{20}$/);
    }
  });
});

describe("sending", () => {
  it("answers the stored message, under the sender of the session", async () => {
    const ann = await connect(one, "ann");
    const client_id = "0c8f9a4e-6b1f-4c58-9d2b-0f1f5a3f7f10";
    const answer = await ann.emitWithAck("send_message", { ...toBob, client_id });
    expect(answer).toMatchObject({ message: { client_id, seq: 1, text: "hello", sending_user_id: "ann" } });
  });

  it("works without id and ack, and keeps the order of many at once", async () => {
    const ann = await connect(one, "ann");
    for (let count = 0; count < 300; count += 1) ann.emit("send_message", { ...toBob, text: `${count}` });
    const stored = await eventually(
      () => services.state.stored,
      (rows) => rows.length === 300,
    );
    expect(stored.map((message) => message.text)).toEqual(Array.from({ length: 300 }, (_, index) => `${index}`));
    expect(new Set(stored.map((message) => message.client_id)).size).toBe(300);
  });

  it("waits while svc-messages is away, and stores everything once it is back", async () => {
    const ann = await connect(one, "ann");
    services.state.messagesAreAway = true;
    const answers = ["a", "b", "c"].map((text) => ann.emitWithAck("send_message", { ...toBob, text }));
    await pause(300);
    expect(services.state.stored).toEqual([]);
    services.state.messagesAreAway = false;
    expect((await Promise.all(answers)).map((answer) => ("message" in answer ? answer.message.text : answer))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it.each([
    ["another's name", { ...toBob, sending_user_id: "bob", recipient_user_id: "ann" }],
    ["an empty text", { ...toBob, text: "  " }],
    ["a text too long", { ...toBob, text: "x".repeat(4_001) }],
    ["an operator as text", { ...toBob, text: { $gt: "" } }],
    ["an operator as thread", { ...toBob, thread_id: { $ne: 1 } }],
    ["a client id that is no UUID", { ...toBob, client_id: "1" }],
    ["no object", "text"],
    ["null", null],
    ["nothing", undefined],
    ["a list", [toBob]],
    ["a number", 7],
  ])("refuses %s with an error ack", async (_, payload) => {
    const ann = await connect(one, "ann");
    const answer = await ann.emitWithAck("send_message", payload as never);
    expect(answer).toMatchObject({ error: expect.any(String), is_retryable: false });
    expect(services.state.stored).toEqual([]);
  });

  it.each([
    ["..", ".."],
    [".", "."],
    ["a/b", "a/b"],
    ["%2e%2e", "%2e%2e"],
    ["a lone surrogate", "\ud800"],
    ["10,000 characters", "x".repeat(10_000)],
  ])("refuses the thread id %s for good, and delays no one else", async (_, thread_id) => {
    const [ann, bob] = await Promise.all([connect(one, "ann"), connect(one, "bob")]);
    services.state.calls.length = 0;
    const payload = { ...toBob, thread_id };
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => ann.emitWithAck("send_message", payload)),
      ann.emitWithAck("message_delivered", { thread_id, seq: 1 }),
      ann.emitWithAck("typing", { thread_id, is_typing: true }),
    ]);
    const toAnn = { ...toBob, sending_user_id: "bob", recipient_user_id: "ann" };
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ error: "No such id", is_retryable: false })]),
    );
    expect(services.state.calls).toEqual([]);
    expect(await bob.timeout(5_000).emitWithAck("send_message", toAnn)).toMatchObject({ message: { seq: 1 } });
    expect(services.state.calls).toEqual(["/internal/messages"]);
  });

  it("holds back only the thread whose messages are to be sent again", async () => {
    const [ann, cyd] = await Promise.all([connect(one, "ann"), connect(one, "cyd")]);
    services.state.retried.add("ann-bob");
    const held = ["a", "b"].map((text) => ann.emitWithAck("send_message", { ...toBob, text }));
    await pause(100);
    const free = { thread_id: "bob-cyd", sending_user_id: "cyd", recipient_user_id: "bob", text: "hi" };
    expect(await cyd.timeout(5_000).emitWithAck("send_message", free)).toMatchObject({ message: { text: "hi" } });
    services.state.retried.clear();
    expect(await Promise.all(held)).toMatchObject([{ message: { text: "a" } }, { message: { text: "b" } }]);
  });

  it("asks to send again later what exceeds the retried messages of one user", async () => {
    const ann = await connect(one, "ann");
    services.state.messagesAreAway = true;
    for (let count = 0; count < 100; count += 1) ann.emit("send_message", { ...toBob, text: `${count}` });
    const late = await ann.emitWithAck("send_message", { ...toBob, text: "too many" });
    expect(late).toEqual({ error: BUSY, is_retryable: true });
    services.state.messagesAreAway = false;
    const stored = await eventually(
      () => services.state.stored,
      (rows) => rows.length === 100,
      10_000,
    );
    expect(stored.map((message) => message.text)).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
  });

  it("survives every shape of every event, with and without an ack", async () => {
    const ann = await connect(one, "ann");
    const shapes: unknown[] = [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { a: { b: {} } },
      Buffer.from("x"),
      { __proto__: null, constructor: 1 },
    ];
    for (const name of [
      "send_message",
      "join_room",
      "join_add_friend_room",
      "add_friend",
      "message_delivered",
      "typing",
      "unknown",
    ]) {
      for (const shape of shapes) {
        ann.emit(name as never, ...([shape] as never));
        ann.emit(name as never, ...([shape, shape, () => {}] as never));
        ann.emit(name as never, ...([] as never));
      }
    }
    expect(await ann.emitWithAck("send_message", toBob)).toMatchObject({ message: { seq: 1 } });
  });
});

describe("delivery", () => {
  it("reaches every socket of a user on every instance once, and no one else", async () => {
    const [bob, bobElsewhere, eve] = await Promise.all([connect(one, "bob"), connect(two, "bob"), connect(one, "eve")]);
    await publish("bob", announce("hi").event);
    await eventually(
      () => [textsOf(bob), textsOf(bobElsewhere)],
      ([a, b]) => a?.length === 1 && b?.length === 1,
    );
    await pause(100);
    expect([textsOf(bob), textsOf(bobElsewhere), textsOf(eve)]).toEqual([["hi"], ["hi"], []]);
  });

  it("goes to the sender's other sockets, not back to the one it came from", async () => {
    const [ann, annElsewhere] = await Promise.all([connect(one, "ann"), connect(one, "ann")]);
    await publish("ann", announce("hi", ann.id).event);
    await eventually(
      () => textsOf(annElsewhere),
      (texts) => texts.length === 1,
    );
    expect(textsOf(ann)).toEqual([]);
  });

  it("emits a message once however often it is published", async () => {
    const bob = await connect(one, "bob");
    const { event } = announce("hi");
    for (let count = 0; count < 3; count += 1) await publish("bob", event);
    await publish("bob", announce("next").event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("next"),
    );
    expect(textsOf(bob)).toEqual(["hi", "next"]);
  });

  it("emits a message whose event was held up only to those who were there when it was published", async () => {
    const early = await connect(one, "bob");
    await pause(20);
    const { event: held } = announce("held up", "", Date.now() - 5_000);
    const publishedAt = Date.now();
    await pause(20);
    const { event } = announce("too", "", publishedAt);
    const late = await connect(one, "bob");
    await publish("bob", held);
    await pause(2_100);
    await publish("bob", event);
    await publish("bob", announce("now").event);
    await eventually(
      () => textsOf(late),
      (texts) => texts.includes("now"),
    );
    expect(textsOf(late)).toEqual(["now"]);
    expect(textsOf(early)).toEqual(["too", "now"]);
  });

  it("drops events it cannot read and goes on", async () => {
    const bob = await connect(one, "bob");
    await two.redis.publisher.publish(userChannel("bob"), "{not json");
    await two.redis.publisher.publish(userChannel("bob"), JSON.stringify({ type: "unknown" }));
    await publish("bob", announce("still here").event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
  });

  it("brings markers to both events' listeners", async () => {
    const ann = await connect(one, "ann");
    const marker = { thread_id: "ann-bob", user_id: "bob", seq: 3 };
    await publish("ann", { type: "marker", marker: { kind: "read", ...marker }, request_id: "r" });
    await publish("ann", { type: "marker", marker: { kind: "delivered", ...marker }, request_id: "r" });
    await eventually(
      () => ann.seen,
      (seen) => seen.length === 2,
    );
    expect(ann.seen).toEqual([
      ["message_read", marker],
      ["message_delivered", marker],
    ]);
  });
});

describe("the order of a thread", () => {
  it("is kept for a client that knows only the specification when events overtake each other", async () => {
    const [bob, bobElsewhere, ann] = await Promise.all([connect(one, "bob"), connect(two, "bob"), connect(two, "ann")]);
    const [first, second, third, fourth] = ["1", "2", "3", "4"].map((text) => announce(text, "elsewhere").event);
    for (const event of [first, third, second, fourth] as MessagesEvent[]) {
      for (const userId of ["ann", "bob"]) await publish(userId, event);
    }
    for (const client of [bob, bobElsewhere, ann]) {
      await eventually(
        () => textsOf(client),
        (texts) => texts.length === 4,
      );
      expect(textsOf(client)).toEqual(["1", "2", "3", "4"]);
    }
  });

  it("is kept when an event is lost: its message is fetched", async () => {
    const bob = await connect(two, "bob");
    const [first, lost, third] = ["1", "lost", "3"].map((text) => announce(text).event);
    await publish("bob", first as MessagesEvent);
    await publish("bob", third as MessagesEvent);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("3"),
    );
    await publish("bob", lost as MessagesEvent);
    await publish("bob", announce("4").event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("4"),
    );
    expect(textsOf(bob)).toEqual(["1", "lost", "3", "4"]);
  });

  // Any socket of the sender may be the one that has the message from its ack: only the event tells.
  it("is kept for the sender's other sockets, which wait for a late event", async () => {
    const ann = await connect(one, "ann");
    const [first, late, third] = ["1", "late", "3"].map((text) => announce(text, "elsewhere").event);
    await publish("ann", first as MessagesEvent);
    await publish("ann", third as MessagesEvent);
    await pause(100);
    await publish("ann", late as MessagesEvent);
    await eventually(
      () => textsOf(ann),
      (texts) => texts.includes("3"),
    );
    expect(textsOf(ann)).toEqual(["1", "late", "3"]);
  });

  it("is kept when the sender's event is lost for good: the rest goes on without its message", async () => {
    const ann = await connect(one, "ann");
    const [first, , third] = ["1", "lost", "3"].map((text) => announce(text, "elsewhere").event);
    for (const event of [first, third] as MessagesEvent[]) await publish("ann", event);
    await eventually(
      () => textsOf(ann),
      (texts) => texts.includes("3"),
    );
    expect(textsOf(ann)).toEqual(["1", "3"]);
  });

  it("is kept both ways while instances of svc-messages come and go and publish at their own pace", async () => {
    const [ann, bob] = await Promise.all([connect(one, "ann"), connect(two, "bob")]);
    const elsewhere = await Promise.all([connect(two, "ann"), connect(one, "bob")]);
    services.state.onStored = (message, origin) => {
      const item = { message, is_repeat: false, origin, request_id: "r" };
      const event: MessagesEvent = { type: "messages", published_at: Date.now(), items: [item] };
      const delayMs = [40, 0, 25, 5, 15][message.seq % 5];
      setTimeout(() => ["ann", "bob"].map((userId) => publish(userId, event)), delayMs);
    };
    const toAnn = { ...toBob, sending_user_id: "bob", recipient_user_id: "ann" };
    const acks: Promise<unknown>[] = [];
    for (let round = 0; round < 100; round += 1) {
      services.state.messagesUrls =
        round % 40 < 20 ? ["http://messages-1", "http://messages-2"] : ["http://messages-3"];
      services.state.messagesAreAway = round % 25 === 24;
      acks.push(ann.emitWithAck("send_message", { ...toBob, text: `ann ${round}` }));
      acks.push(bob.emitWithAck("send_message", { ...toAnn, text: `bob ${round}` }));
      await pause(10);
    }
    services.state.messagesAreAway = false;
    expect(await Promise.all(acks)).not.toContainEqual(expect.objectContaining({ error: expect.anything() }));
    const all = services.state.stored.map(({ text }) => text);
    const wanted = [
      all.filter((text) => text.startsWith("bob")),
      all.filter((text) => text.startsWith("ann")),
      all,
      all,
    ];
    for (const [index, client] of [ann, bob, ...elsewhere].entries()) {
      await eventually(
        () => textsOf(client).length,
        (count) => count === wanted[index]?.length,
        10_000,
      );
      expect(textsOf(client)).toEqual(wanted[index]);
    }
  });
});

describe("an interruption of Redis", () => {
  /** As a broken network does it, without a word. */
  const cut = (instance: Instance) => instance.redis.subscriber.stream.destroy();

  it("is bridged from the database once it is over, for those who were there, without doubling", async () => {
    const bob = await connect(one, "bob");
    const { event } = announce("heard");
    await publish("bob", event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
    announce("lost");
    cut(one);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("lost"),
    );
    await eventually(
      () => named(bob, "resync"),
      (seen) => seen.length > 0,
    );
    await publish("bob", announce("live again").event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("live again"),
    );
    expect(textsOf(bob)).toEqual(["heard", "lost", "live again"]);
  });

  it("is told to clients while it lasts and when it ends", async () => {
    const bob = await connect(one, "bob");
    cut(one);
    await eventually(
      () => named(bob, "service_state"),
      (seen) => seen.length === 2,
    );
    expect(named(bob, "service_state")).toEqual([{ is_degraded: true }, { is_degraded: false }]);
  });
});

describe("friends", () => {
  const befriended: UserEvent = {
    type: "friend_added",
    friend: { id: "ann", name: "ann", avatar_id: "fox-id" },
    message_thread: newMessageThread(startingMessage(thread, "ann", "bob"), {
      id: "ann",
      name: "ann",
      avatar_id: "fox-id",
    }),
    request_id: "r",
  };

  it("are announced to each socket once, by svc-users' event or by the client's, with the server's own profile", async () => {
    const [ann, bob] = [await connect(one, "ann"), await connect(two, "bob")];
    await publish("bob", befriended);
    const lie = { id: "ann", name: "<b>The Queen</b>", avatar_id: "x" };
    await ann.emitWithAck("add_friend", { current_user: lie, new_friend_id: "bob", message_thread: {} });
    const later = await connect(one, "bob");
    await ann.emitWithAck("add_friend", { current_user: lie, new_friend_id: "bob", message_thread: {} });
    const payload = { current_user: befriended.friend, message_thread: befriended.message_thread };
    await eventually(
      () => named(later, "received_add_new_friend"),
      (seen) => seen.length === 1,
    );
    expect(named(later, "received_add_new_friend")).toEqual([payload]);
    expect(named(bob, "received_add_new_friend")).toEqual([payload]);
  });

  it("alone may join the room of a pair, and type in it", async () => {
    const [ann, bob, eve] = [await connect(one, "ann"), await connect(two, "bob"), await connect(two, "eve")];
    const pair = { sending_user_id: "ann", recipient_user_id: "bob" };
    expect(await eve.emitWithAck("join_room", pair)).toMatchObject({ error: expect.any(String) });
    expect(await eve.emitWithAck("join_room", { ...pair, sending_user_id: "eve" })).toMatchObject({
      error: "You are not friends",
    });
    expect(await eve.emitWithAck("typing", { thread_id: "ann-bob", is_typing: true })).toMatchObject({
      error: expect.any(String),
    });
    expect(await ann.emitWithAck("join_room", pair)).toEqual({});
    expect(await bob.emitWithAck("join_room", { sending_user_id: "bob", recipient_user_id: "ann" })).toEqual({});
    await ann.emitWithAck("typing", { thread_id: "ann-bob", is_typing: true });
    await eventually(
      () => named(bob, "typing"),
      (seen) => seen.length === 1,
    );
    expect(named(bob, "typing")).toEqual([{ thread_id: "ann-bob", user_id: "ann", is_typing: true }]);
    expect(eve.seen).toEqual([]);
  });

  it("see each other come and go, across instances", async () => {
    const [ann, bob] = [await connect(one, "ann"), await connect(two, "bob")];
    await ann.emitWithAck("join_room", { sending_user_id: "ann", recipient_user_id: "bob" });
    await bob.emitWithAck("join_room", { sending_user_id: "bob", recipient_user_id: "ann" });
    await eventually(
      () => named(ann, "presence").at(-1),
      (last) => (last as { is_online: boolean } | undefined)?.is_online === true,
    );
    bob.disconnect();
    await eventually(
      () => named(ann, "presence").at(-1),
      (last) => (last as { is_online: boolean }).is_online === false,
    );
  });

  it("may only be joined under one's own id", async () => {
    const eve = await connect(one, "eve");
    expect(await eve.emitWithAck("join_add_friend_room", { current_user_id: "ann" })).toMatchObject({
      error: expect.any(String),
    });
    expect(await eve.emitWithAck("join_add_friend_room", { current_user_id: "eve" })).toEqual({});
    expect(await eve.emitWithAck("add_friend", { new_friend_id: "ann" })).toMatchObject({
      error: "You are not friends",
    });
  });
});

it("ends a session's sockets on every instance when the session ends", async () => {
  const [here, there, other] = [await connect(one, "ann"), await connect(two, "ann"), await connect(one, "bob")];
  const event = { type: "session_ended", session_id: "session-ann", user_id: "ann", request_id: "r" };
  await two.redis.publisher.publish(SESSIONS_CHANNEL, JSON.stringify(event));
  await eventually(
    () => [here.connected, there.connected],
    (connected) => !connected.includes(true),
  );
  expect(other.connected).toBe(true);
  expect(here.seen).toEqual([["session_ended", {}]]);
});

it("ends the sockets of a session whose end nobody published, within two seconds", async () => {
  const [here, there] = [await connect(one, "ann"), await connect(two, "ann")];
  const bob = await connect(one, "bob");
  services.state.endedIds.push("session-ann");
  services.state.ended.add("ann");
  const gone = (clients: (typeof here)[]) => clients.filter(({ connected }) => connected).length;
  await eventually(
    () => gone([here, there]),
    (open) => open === 0,
    2_000,
  );
  expect([here.seen, bob.connected]).toEqual([[["session_ended", {}]], true]);
  await expect(connect(one, "ann")).rejects.toThrow("unauthorised");
});

it("finds out by itself about a session that ended while Redis was away", async () => {
  const [ann, bob] = [await connect(one, "ann"), await connect(one, "bob")];
  services.state.ended.add("ann");
  one.redis.subscriber.stream.destroy();
  await eventually(
    () => ann.connected,
    (isConnected) => !isConnected,
  );
  expect(named(ann, "session_ended")).toEqual([{}]);
  expect(bob.connected).toBe(true);
});

it("ends nobody's session while sessions cannot be checked", async () => {
  const ann = await connect(one, "ann");
  services.state.usersAreAway = true;
  one.redis.subscriber.stream.destroy();
  await eventually(
    () => named(ann, "resync"),
    (seen) => seen.length > 0,
  );
  services.state.usersAreAway = false;
  expect(await ann.emitWithAck("join_add_friend_room", { current_user_id: "ann" })).toEqual({});
});

it("passes on what has arrived, in the session's name", async () => {
  const bob = await connect(one, "bob");
  await bob.emitWithAck("message_delivered", { thread_id: "ann-bob", seq: 4 });
  expect(services.state.markers).toMatchObject([{ kind: "delivered", thread_id: "ann-bob", user_id: "bob", seq: 4 }]);
});

it("drains: tells clients to leave and finishes what they sent", async () => {
  const ann = await connect(one, "ann");
  services.state.messagesAreAway = true;
  const answer = ann.emitWithAck("send_message", toBob);
  await pause(50);
  const drained = one.realtime.drain(3_000);
  await eventually(
    () => named(ann, "server_draining"),
    (seen) => seen.length === 1,
  );
  expect(one.realtime.isDraining()).toBe(true);
  services.state.messagesAreAway = false;
  expect(await answer).toMatchObject({ message: { text: "hello" } });
  ann.disconnect();
  await drained;
});
