import { decodeMessages } from "@messageoh/contracts/bus";
import { ApiError, type Call } from "@messageoh/contracts/client";
import { type Message, type NewMessage, storedAt } from "@messageoh/contracts/messages";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/engines";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { createApp } from "./app.ts";

const SECRET = "a secret of sixteen characters";
const CREATED = "2026-01-01T00:00:00.000Z";
const threads: ThreadMembers[] = ["bob", "cyd", "dan", "eli"].map((friend) => ({
  thread_id: `ann-${friend}`,
  user_ids: ["ann", friend],
  created_at: CREATED,
}));
let usersAreAway = false;

/** svc-users as this service sees it: a token is `TOKEN-<name>`. */
const callUsers = (async (
  { path }: { path: string },
  { params, body }: { params?: Record<string, string>; body?: { token: string } },
) => {
  if (usersAreAway) throw new ApiError(0);
  if (path.startsWith("/internal/sessions")) {
    const name = body?.token.split("-")[1];
    return { session: name ? { session_id: `session-${name}`, user: { id: name, name, avatar_id: "fox-id" } } : null };
  }
  if (path.startsWith("/internal/threads")) {
    return { thread: threads.find((thread) => thread.thread_id === params?.thread_id) ?? null };
  }
  return threads.filter((thread) => thread.user_ids.includes(params?.user_id ?? ""));
}) as unknown as Call;

let service: Awaited<ReturnType<typeof serveForTest>>;
let end: () => Promise<void>;
interface Heard {
  items: { message: Message; origin: string }[];
}
const published: (readonly [channel: string, event: Heard])[] = [];
/** An event as its listeners have it: messages unpacked. */
function heard(event: object | string): Heard {
  if (typeof event !== "string") return event as Heard;
  const items = (decodeMessages(event)?.items ?? []).map(({ id, json, ...item }) => ({
    ...item,
    message: JSON.parse(json),
  }));
  return { items };
}
let counter = 0;

beforeAll(async () => {
  const { connection, drop } = await openTestDatabase();
  const { app } = await createApp({
    connection,
    publish: (events) => void published.push(...events.map(([channel, event]) => [channel, heard(event)] as const)),
    callUsers,
    logger: silentLogger,
    internalSecret: SECRET,
  });
  service = await serveForTest(app.callback());
  end = async () => {
    await service.close();
    await drop();
  };
});
afterAll(() => end());
beforeEach(() => {
  published.length = 0;
});

const as = (name: string) => ({ cookie: `messageoh_session=TOKEN-${name}` });
const internal = { "x-internal-secret": SECRET };
const aMessage = (parts: Partial<NewMessage> = {}): NewMessage => ({
  client_id: `client-${++counter}`,
  thread_id: "ann-bob",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "request-1",
  origin: "socket-1",
  ...parts,
});
const store = async (...messages: unknown[]) =>
  service.call("/internal/messages", { method: "POST", body: { messages }, headers: internal });
const list = async (name: string, query = "") => (await service.call(`/messages/${name}${query}`, as(name))).body;
const toCyd = (parts: Partial<NewMessage> = {}) =>
  aMessage({ thread_id: "ann-cyd", recipient_user_id: "cyd", ...parts });

describe("storing", () => {
  it("answers the message as everybody sees it and tells both members, once each", async () => {
    const text = "Здравствуй 你好 🦊\nline two";
    const { body } = await store(aMessage({ text, client_id: "c1" }));
    const message = JSON.parse(body.results[0]);
    expect(message).toMatchObject({ client_id: "c1", text, seq: 1, read: false, thread_id: "ann-bob" });
    expect(published.map(([channel]) => channel).sort()).toEqual(["user:ann", "user:bob"]);
    const item = { message, is_repeat: false, origin: "socket-1", request_id: "request-1" };
    expect(Object.fromEntries(published.map(([channel, { items }]) => [channel, items]))).toEqual({
      "user:ann": [{ ...item, is_own: true }],
      "user:bob": [{ ...item, is_own: false }],
    });
  });

  it("tells each user of a batch in one event, in order", async () => {
    await store(
      aMessage({ text: "1" }),
      aMessage({ text: "2" }),
      aMessage({ text: "3", thread_id: "ann-eli", recipient_user_id: "eli" }),
    );
    const texts = published.map(([channel, { items }]) => [channel, items.map((item) => item.message.text)]);
    expect(Object.fromEntries(texts)).toEqual({
      "user:bob": ["1", "2"],
      "user:eli": ["3"],
      "user:ann": ["1", "2", "3"],
    });
  });

  it("tells again of a message that is sent again", async () => {
    const message = aMessage();
    const [first, again] = [await store(message), await store(message)];
    expect(JSON.parse(again.body.results[0]).id).toBe(JSON.parse(first.body.results[0]).id);
    expect(published.filter(([channel]) => channel === "user:bob")).toHaveLength(2);
  });

  it.each([
    ["a stranger's thread", { sending_user_id: "eve" }],
    ["a recipient outside the thread", { recipient_user_id: "eve" }],
    ["oneself", { recipient_user_id: "ann" }],
    ["an unknown thread", { thread_id: "nowhere" }],
  ])("refuses %s, and only that message", async (_, parts) => {
    const before = (await list("bob", "?thread_id=ann-bob")).length;
    const { body } = await store(aMessage(parts), aMessage());
    expect(body.results).toEqual([
      { error: "You can only write to your friends" },
      expect.stringContaining('"text":"hello"'),
    ]);
    expect((await list("bob", "?thread_id=ann-bob")).length).toBe(before + 1);
  });

  it("stores nothing of a batch while it cannot know who is in a thread", async () => {
    usersAreAway = true;
    const { status } = await store(aMessage(), aMessage({ thread_id: "ann-dan", recipient_user_id: "dan" }));
    usersAreAway = false;
    expect(status).toBe(503);
    expect(published).toEqual([]);
  });

  it("needs the shared secret and whole messages", async () => {
    expect(
      (await service.call("/internal/messages", { method: "POST", body: { messages: [aMessage()] } })).status,
    ).toBe(404);
    for (const bad of [
      [],
      [{}],
      [aMessage({ text: "  " })],
      [aMessage({ text: "x".repeat(4001) })],
      "text",
      { $gt: 1 },
    ]) {
      const answer = await service.call("/internal/messages", {
        method: "POST",
        body: { messages: bad },
        headers: internal,
      });
      expect(answer.status).toBe(400);
    }
  });
});

describe("reading", () => {
  beforeAll(async () => {
    await store(...Array.from({ length: 120 }, (_, index) => toCyd({ text: `number ${index + 1}` })));
  });
  const seqs = (messages: Message[]) => messages.map((message) => message.seq);

  it("answers the newest 50 of each thread, and a starting message where there are none", async () => {
    const messages: Message[] = await list("ann");
    const ofThread = (thread_id: string) => messages.filter((message) => message.thread_id === thread_id);
    expect(seqs(ofThread("ann-cyd"))).toEqual(Array.from({ length: 50 }, (_, index) => index + 71));
    expect(ofThread("ann-dan")).toMatchObject([{ seq: 0, text: "", read: true, timestamp: CREATED }]);
    expect(seqs((await list("cyd", "?limit=1")) as Message[])).toEqual([120]);
  });

  it("pages back and forward by number, ascending", async () => {
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&before_seq=71&limit=3"))).toEqual([68, 69, 70]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&before_seq=3"))).toEqual([1, 2]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&after_seq=117"))).toEqual([118, 119, 120]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&after_seq=0&limit=2"))).toEqual([1, 2]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&limit=2"))).toEqual([119, 120]);
    expect(await list("cyd", "?thread_id=ann-cyd&after_seq=120")).toEqual([]);
  });

  it("finds text in all history, newest first, without regard to case and without patterns", async () => {
    await store(toCyd({ text: "A NEEDLE (in) hay" }), toCyd({ text: "needle again" }));
    const texts = async (name: string, text: string) =>
      ((await list(name, `?search=${encodeURIComponent(text)}`)) as Message[]).map((message) => message.text);
    expect(await texts("ann", "needle")).toEqual(["needle again", "A NEEDLE (in) hay"]);
    expect(await texts("cyd", "(IN)")).toEqual(["A NEEDLE (in) hay"]);
    expect(await texts("bob", "needle")).toEqual([]);
    expect(await texts("ann", ".*")).toEqual([]);
  });

  it("refuses other people's threads and ids, and what makes no sense", async () => {
    const status = async (path: string, name?: string) => (await service.call(path, name ? as(name) : {})).status;
    expect(await status("/messages/ann")).toBe(401);
    expect(await status("/messages/ann", "bob")).toBe(403);
    expect(await status("/threads/ann", "bob")).toBe(403);
    expect(await status("/messages/bob?thread_id=ann-cyd", "bob")).toBe(403);
    expect(await status("/messages/bob?thread_id=nowhere", "bob")).toBe(403);
    for (const query of [
      "limit=201",
      "limit=0",
      "limit=x",
      "before_seq=1",
      "thread_id=ann-bob&before_seq=1&after_seq=1",
      "limit[$gt]=1&limit=2&limit=3",
    ]) {
      expect([query, await status(`/messages/bob?${query}`, "bob")]).toEqual([query, 400]);
    }
  });

  it("answers 503, not 401, while sessions cannot be checked", async () => {
    usersAreAway = true;
    const { status } = await service.call("/messages/zoe", as("zoe"));
    usersAreAway = false;
    expect(status).toBe(503);
  });
});

describe("markers", () => {
  const mark = (name: string, body: unknown) =>
    service.call("/update_message_read", { method: "PUT", body, ...as(name) });
  const stateOf = async (name: string, thread_id: string) =>
    (await service.call(`/threads/${name}`, as(name))).body.find(
      (state: { thread_id: string }) => state.thread_id === thread_id,
    );

  it("count what a user has not read, and move forward only", async () => {
    const dan = (parts: Partial<NewMessage>) => aMessage({ thread_id: "ann-dan", ...parts });
    const fromAnn = { sending_user_id: "ann", recipient_user_id: "dan" };
    await store(dan(fromAnn), dan({ sending_user_id: "dan", recipient_user_id: "ann" }), dan(fromAnn), dan(fromAnn));
    expect(await stateOf("dan", "ann-dan")).toMatchObject({
      friend_id: "ann",
      last_seq: 4,
      read_seq: 0,
      unread_count: 3,
    });
    published.length = 0;
    expect((await mark("dan", { thread_id: "ann-dan", seq: 3 })).body).toMatchObject({ seq: 3, user_id: "dan" });
    expect(published).toMatchObject([
      ["user:ann", { type: "marker", marker: { kind: "read", user_id: "dan", seq: 3 } }],
      ["user:dan", { type: "marker" }],
    ]);
    expect(await stateOf("dan", "ann-dan")).toMatchObject({ read_seq: 3, unread_count: 1 });
    expect(await stateOf("ann", "ann-dan")).toMatchObject({
      friend_read_seq: 3,
      friend_delivered_seq: 3,
      unread_count: 1,
    });
    await mark("dan", { thread_id: "ann-dan", seq: 1 });
    expect((await stateOf("dan", "ann-dan")).read_seq).toBe(3);
    const read = ((await list("ann", "?thread_id=ann-dan")) as Message[]).map((message) => message.read);
    expect(read).toEqual([true, false, true, false]);
    await mark("dan", { thread_id: "ann-dan" });
    expect(await stateOf("dan", "ann-dan")).toMatchObject({
      read_seq: 4,
      unread_count: 0,
      last_message: { seq: 4, read: true },
    });
  });

  it("are not told twice, and never pass the newest message", async () => {
    await mark("dan", { thread_id: "ann-dan", seq: 4 });
    expect(published).toEqual([]);
    expect((await mark("dan", { thread_id: "ann-dan", seq: 900 })).body.seq).toBe(4);
  });

  it("are one's own only", async () => {
    expect((await mark("bob", { thread_id: "ann-dan" })).status).toBe(403);
    expect((await mark("bob", { thread_id: { $gt: "" } })).status).toBe(400);
    expect((await mark("bob", { thread_id: "ann-bob", seq: -1 })).status).toBe(400);
    expect((await service.call("/update_message_read", { method: "PUT", body: { thread_id: "ann-bob" } })).status).toBe(
      401,
    );
  });

  it("also say what has arrived", async () => {
    const body = { kind: "delivered", thread_id: "ann-cyd", user_id: "cyd", seq: 100, request_id: "r" };
    const answer = await service.call("/internal/markers", { method: "POST", body, headers: internal });
    expect(answer.body).toMatchObject({ seq: 100 });
    expect(await stateOf("ann", "ann-cyd")).toMatchObject({ friend_delivered_seq: 100, friend_read_seq: 0 });
  });
});

it("answers what was stored lately for given users", async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const { body } = await service.call("/internal/messages/recent", {
    method: "POST",
    body: { user_ids: ["bob"], since },
    headers: internal,
  });
  expect(body.messages.length).toBeGreaterThan(0);
  expect(new Set(body.messages.map((message: Message) => message.recipient_user_id))).toEqual(new Set(["bob"]));
});

it("answers only for users for whom more was stored than the caller knows, and only what lies in the time", async () => {
  const recent = async (body: object) =>
    (await service.call("/internal/messages/recent", { method: "POST", body, headers: internal })).body
      .messages as Message[];
  const since = new Date(Date.now() - 60_000).toISOString();
  const user_ids = ["bob", "cyd"];
  await store(aMessage(), toCyd());
  const all = await recent({ user_ids, since });
  const known = Object.fromEntries(
    user_ids.map((id) => [id, all.filter((one) => one.recipient_user_id === id).length]),
  );
  expect(await recent({ user_ids, since, known })).toEqual([]);
  expect(await recent({ user_ids, since, known: { bob: known.bob } })).toEqual(
    all.filter((message) => message.recipient_user_id === "cyd"),
  );
  const until = new Date(storedAt(all.at(-1)?.id ?? "")).toISOString();
  expect((await recent({ user_ids, since, until, known: {} })).length).toBeLessThan(all.length);
});

it("tells in its metrics what was written, what came again, and what was caught up with", async () => {
  const metric = (name: string) => readMetric(service.url, `messageoh_messages_${name}`);
  const names = ["stored_total", "repeats_total", "write_batch_size_sum", "catch_up_size_sum", "catch_up_size_count"];
  const look = async () => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await metric(name)])));
  const before = await look();
  const message = aMessage({ thread_id: "ann-eli", recipient_user_id: "eli" });
  await store(message, aMessage({ thread_id: "ann-eli", recipient_user_id: "eli" }));
  await store(message);
  const { seq } = (await list("eli", "?thread_id=ann-eli")).at(-1);
  await list("eli", `?thread_id=ann-eli&after_seq=${seq - 2}`);
  const after = await look();
  expect(names.map((name) => after[name] - before[name])).toEqual([2, 1, 3, 2, 1]);
  expect(await metric("write_seconds_count")).toBe(await metric("write_batch_size_count"));
  expect([await metric("write_queue_depth"), await metric("failed_writes_total")]).toEqual([0, 0]);
});
