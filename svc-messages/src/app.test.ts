import { setTimeout as pause } from "node:timers/promises";
import { timeOf } from "@messageoh/contracts/beat";
import type { MessagesEvent } from "@messageoh/contracts/bus";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { Message, ThreadState } from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { aMessage } from "../testing/messages.ts";
import { as, internal, recordPublished, serveMessages, type TestService } from "../testing/service.ts";

const CREATED = "2026-01-01T00:00:00.000Z";
const users = new FakeUsers(["bob", "cyd", "dan", "eli"].map((friend) => threadBetween("ann", friend)));
/** Runs a function during an outage of svc-users. */
async function withoutUsers<T>(run: () => Promise<T>): Promise<T> {
  users.isDown = true;
  return run().finally(() => {
    users.isDown = false;
  });
}

let service: TestService;
const { published, publish } = recordPublished();
/** Returns the items of the published events, by channel. */
function publishedItems(): Record<string, MessagesEvent["items"]> {
  const byChannel = Map.groupBy(published, ([channel]) => channel);
  return Object.fromEntries(
    [...byChannel].map(([channel, all]) => [channel, all.flatMap(([, event]) => (event as MessagesEvent).items)]),
  );
}

beforeAll(async () => {
  service = await serveMessages(users, { publish });
});
afterAll(() => service.close());
beforeEach(() => {
  published.length = 0;
});

const store = (...messages: unknown[]) => service.store(...messages);
const list = async (name: string, query = "") =>
  (await service.call<Message[]>(`/messages/${name}${query}`, as(name))).body;
const toCyd = (parts: Partial<NewMessage> = {}) =>
  aMessage({ thread_id: "ann-cyd", recipient_user_id: "cyd", ...parts });

describe("storing", () => {
  it("returns the stored message and publishes it once to each member", async () => {
    const text = "Здравствуй 你好 🦊\nline two";
    const { body } = await store(aMessage({ text, client_id: "c1" }));
    const { message } = body.results[0] ?? {};
    expect(body).toMatchObject({ now: expect.any(Number), process: message?.id.slice(12, 18) });
    expect(message).toMatchObject({ client_id: "c1", text, seq: 1, read: false, thread_id: "ann-bob" });
    expect(published).toHaveLength(2);
    const item = { message, is_repeat: false, origin: "socket-1", request_id: "request-1" };
    expect(publishedItems()).toEqual({ "user:ann": [item], "user:bob": [item] });
    expect(published[0]?.[1]).toMatchObject({ type: "messages", published_at: expect.any(Number) });
  });

  it("publishes the messages of a thread in order", async () => {
    await store(
      aMessage({ text: "1" }),
      aMessage({ text: "3", thread_id: "ann-eli", recipient_user_id: "eli" }),
      aMessage({ text: "2" }),
    );
    expect(publishedItems()["user:bob"]?.map(({ message }) => message.text)).toEqual(["1", "2"]);
    expect(publishedItems()["user:eli"]?.map(({ message }) => message.text)).toEqual(["3"]);
  });

  it("publishes a repeated message again, marked as a repeat", async () => {
    const message = aMessage();
    const [first, again] = [await store(message), await store(message)];
    expect(again.body.results[0]?.message.id).toBe(first.body.results[0]?.message.id);
    const toBob = published.filter(([channel]) => channel === "user:bob");
    expect(toBob.map(([, event]) => (event as MessagesEvent).items[0]?.is_repeat)).toEqual([false, true]);
  });

  it.each([
    ["a thread of others", { sending_user_id: "eve" }],
    ["a recipient outside the thread", { recipient_user_id: "eve" }],
    ["the sender", { recipient_user_id: "ann" }],
    ["an unknown thread", { thread_id: "nowhere" }],
  ])("rejects a message to %s, and only that message", async (_, parts) => {
    const before = (await list("bob", "?thread_id=ann-bob")).length;
    const { body } = await store(aMessage(parts), aMessage());
    expect(body.results).toEqual([
      { error: "You can only write to your friends" },
      { message: expect.objectContaining({ text: "hello" }) },
    ]);
    expect((await list("bob", "?thread_id=ann-bob")).length).toBe(before + 1);
  });

  it("stores messages of cached threads during an outage of svc-users, and asks to retry the others", async () => {
    await store(aMessage());
    const thread = threadBetween("ann", "fay");
    users.threads.push(thread);
    const toFay = aMessage({ thread_id: thread.thread_id, recipient_user_id: "fay" });
    const { status, body } = await withoutUsers(() => store(toFay, aMessage()));
    expect([status, body.results]).toEqual([200, [{ retry: true }, { message: expect.anything() }]]);
    expect((await store(toFay)).body.results).toEqual([{ message: expect.objectContaining({ seq: 1 }) }]);
  });

  it("rejects calls without the shared secret and invalid messages", async () => {
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
      const response = await service.call("/internal/messages", {
        method: "POST",
        body: { messages: bad },
        headers: internal,
      });
      expect(response.status).toBe(400);
    }
  });
});

describe("reading", () => {
  beforeAll(async () => {
    await store(...Array.from({ length: 120 }, (_, index) => toCyd({ text: `number ${index + 1}` })));
  });
  const seqs = (messages: Message[]) => messages.map((message) => message.seq);

  it("returns the newest 50 messages of each thread, or the starting message of an empty one", async () => {
    const messages = await list("ann");
    const ofThread = (thread_id: string) => messages.filter((message) => message.thread_id === thread_id);
    expect(seqs(ofThread("ann-cyd"))).toEqual(Array.from({ length: 50 }, (_, index) => index + 71));
    expect(ofThread("ann-dan")).toMatchObject([{ seq: 0, text: "", read: true, timestamp: CREATED }]);
    expect(seqs(await list("cyd", "?limit=1"))).toEqual([120]);
  });

  it("pages back and forward by sequence number, ascending", async () => {
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&before_seq=71&limit=3"))).toEqual([68, 69, 70]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&before_seq=3"))).toEqual([1, 2]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&after_seq=117"))).toEqual([118, 119, 120]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&after_seq=0&limit=2"))).toEqual([1, 2]);
    expect(seqs(await list("cyd", "?thread_id=ann-cyd&limit=2"))).toEqual([119, 120]);
    expect(await list("cyd", "?thread_id=ann-cyd&after_seq=120")).toEqual([]);
  });

  it("finds a literal text in all history, case-insensitive, and lists newest messages first", async () => {
    await store(toCyd({ text: "A NEEDLE (in) hay" }), toCyd({ text: "needle again" }));
    const texts = async (name: string, text: string) =>
      (await list(name, `?search=${encodeURIComponent(text)}`)).map((message) => message.text);
    expect(await texts("ann", "needle")).toEqual(["needle again", "A NEEDLE (in) hay"]);
    expect(await texts("cyd", "(IN)")).toEqual(["A NEEDLE (in) hay"]);
    expect(await texts("bob", "needle")).toEqual([]);
    expect(await texts("ann", ".*")).toEqual([]);
  });

  it("keeps the white space around a text", async () => {
    await store(toCyd({ text: "  indented\n" }));
    expect((await list("cyd", "?thread_id=ann-cyd&limit=1"))[0]?.text).toBe("  indented\n");
  });

  it("pages through the results of a search in long and short threads", async () => {
    const found = (query: string) => list("cyd", `?search=number${query}`);
    const all = await found("&limit=200");
    expect(all.length).toBeGreaterThan(100);
    const pages: Message[] = [];
    for (let page = await found("&limit=50"); page.length > 0; ) {
      pages.push(...page);
      page = await found(`&limit=50&before_id=${page.at(-1)?.id}`);
    }
    expect(pages.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it("searches in one thread of the user, page by page", async () => {
    await store(toCyd({ text: "a quince" }), toCyd({ text: "another quince" }));
    const found = async (name: string, query: string) =>
      (await list(name, `?search=quince&${query}`)).map(({ text }) => text);
    expect(await found("ann", "thread_id=ann-cyd")).toEqual(["another quince", "a quince"]);
    expect(await found("ann", "thread_id=ann-bob")).toEqual([]);
    const [newest] = await list("ann", "?search=quince&thread_id=ann-cyd&limit=1");
    expect(await found("ann", `thread_id=ann-cyd&limit=1&before_id=${newest?.id}`)).toEqual(["a quince"]);
    expect((await service.call("/messages/bob?search=quince&thread_id=ann-cyd", as("bob"))).status).toBe(403);
  });

  it("rejects the threads and ids of other users, and invalid queries", async () => {
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

  it("responds 503, not 401, while sessions cannot be looked up", async () => {
    const { status } = await withoutUsers(() => service.call("/messages/zoe", as("zoe")));
    expect(status).toBe(503);
  });
});

describe("markers", () => {
  const mark = (name: string, body: unknown) =>
    service.call<{ seq: number }>("/update_message_read", { method: "PUT", body, ...as(name) });
  const stateOf = async (name: string, thread_id: string) =>
    (await service.call<ThreadState[]>(`/threads/${name}`, as(name))).body.find(
      (state) => state.thread_id === thread_id,
    );

  it("counts unread messages, and moves forward only", async () => {
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
    const { body } = await mark("dan", { thread_id: "ann-dan", seq: 3 });
    expect(body).toEqual({ thread_id: "ann-dan", user_id: "dan", seq: 3 });
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
    expect((await stateOf("dan", "ann-dan"))?.read_seq).toBe(3);
    const read = (await list("ann", "?thread_id=ann-dan")).map((message) => message.read);
    expect(read).toEqual([true, false, true, false]);
    await mark("dan", { thread_id: "ann-dan" });
    expect(await stateOf("dan", "ann-dan")).toMatchObject({
      read_seq: 4,
      unread_count: 0,
      last_message: { seq: 4, read: true },
    });
  });

  it("publishes nothing for a repeated move, and stops at the newest message", async () => {
    await mark("dan", { thread_id: "ann-dan", seq: 4 });
    expect(published).toEqual([]);
    expect((await mark("dan", { thread_id: "ann-dan", seq: 900 })).body.seq).toBe(4);
  });

  it("rejects moves in threads of other users, and invalid moves", async () => {
    expect((await mark("bob", { thread_id: "ann-dan" })).status).toBe(403);
    expect((await mark("bob", { thread_id: { $gt: "" } })).status).toBe(400);
    expect((await mark("bob", { thread_id: "ann-bob", seq: -1 })).status).toBe(400);
    expect((await service.call("/update_message_read", { method: "PUT", body: { thread_id: "ann-bob" } })).status).toBe(
      401,
    );
  });

  it("moves delivery receipts in batches, with one result per marker", async () => {
    const cyds = { kind: "delivered", thread_id: "ann-cyd", user_id: "cyd", seq: 100, request_id: "r" };
    const body = {
      markers: [{ ...cyds, seq: 60 }, cyds, { ...cyds, user_id: "bob" }, { ...cyds, thread_id: "no-thread" }],
    };
    published.length = 0;
    const markers = { method: "POST", body, headers: internal };
    const response = await service.call<{ results: unknown }>("/internal/markers/batch", markers);
    const notYours = { error: "This is not yours" };
    expect(response.body.results).toMatchObject([
      { marker: { seq: 60 } },
      { marker: { seq: 100 } },
      notYours,
      notYours,
    ]);
    expect(published).toHaveLength(4);
    expect(await stateOf("ann", "ann-cyd")).toMatchObject({ friend_delivered_seq: 100, friend_read_seq: 0 });
  });
});

it("returns the recent messages of given users", async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const { body } = await service.call<{ messages: Message[] }>("/internal/messages/recent", {
    method: "POST",
    body: { user_ids: ["bob"], since },
    headers: internal,
  });
  expect(body.messages.length).toBeGreaterThan(0);
  expect(new Set(body.messages.map((message) => message.recipient_user_id))).toEqual(new Set(["bob"]));
});

it("returns recent messages only of users with more messages than the caller knows, and only of the period", async () => {
  const recent = async (body: object) =>
    (
      await service.call<{ messages: Message[] }>("/internal/messages/recent", {
        method: "POST",
        body,
        headers: internal,
      })
    ).body.messages;
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
  const until = new Date(timeOf(all.at(-1)?.id ?? "")).toISOString();
  expect((await recent({ user_ids, since, until, known: {} })).length).toBeLessThan(all.length);
});

it("counts stored messages, repeats and caught-up messages in its metrics", async () => {
  const metric = (name: string) => readMetric(service.url, `messageoh_messages_${name}`);
  const names = ["stored_total", "repeats_total", "catch_up_size_sum", "catch_up_size_count"];
  const look = async () => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await metric(name)])));
  const before = await look();
  const message = aMessage({ thread_id: "ann-eli", recipient_user_id: "eli" });
  await store(message, aMessage({ thread_id: "ann-eli", recipient_user_id: "eli" }));
  await store(message);
  const seq = (await list("eli", "?thread_id=ann-eli")).at(-1)?.seq ?? 0;
  await list("eli", `?thread_id=ann-eli&after_seq=${seq - 2}`);
  const after = await look();
  expect(names.map((name) => after[name] - before[name])).toEqual([2, 1, 2, 1]);
  expect(await metric("write_seconds_count")).toBe(await metric("batch_items_count"));
  expect([await metric("waiting"), await metric("failed_writes_total")]).toEqual([0, 0]);
});

describe("a thread with missing numbers", () => {
  const thread = threadBetween("ann", "gus");
  const of = (path: string) => service.call<Message[]>(path, as("gus"));
  const seqsOf = async (query: string) => (await of(`/messages/gus${query}`)).body.map((message) => message.seq);

  beforeAll(async () => {
    users.threads.push(thread);
    await store(
      ...Array.from({ length: 8 }, () => aMessage({ thread_id: thread.thread_id, recipient_user_id: "gus" })),
    );
    await service.connection
      .collection("thread_messages")
      .deleteMany({ thread_id: thread.thread_id, seq: { $in: [4, 7] } });
  });

  it("returns its newest message and its number of unread messages in the list of threads", async () => {
    const { body } = await of("/threads/gus");
    expect(body).toMatchObject([{ last_seq: 8, unread_count: 6, last_message: { seq: 8 } }]);
  });

  it("gives the next message the number after the newest one", async () => {
    await store(aMessage({ thread_id: thread.thread_id, recipient_user_id: "gus" }));
    expect(await seqsOf("?limit=1")).toEqual([9]);
  });

  it.each([
    ["the newest messages of all threads", "", [1, 2, 3, 5, 6, 8, 9], 0],
    ["the newest page", "?thread_id=ann-gus", [1, 2, 3, 5, 6, 8, 9], 1],
    ["a newest page after the gaps", "?thread_id=ann-gus&limit=2", [8, 9], 0],
    ["a page before a number", "?thread_id=ann-gus&before_seq=6&limit=3", [3, 5], 1],
    ["a page before a number, without a gap", "?thread_id=ann-gus&before_seq=4&limit=3", [1, 2, 3], 0],
    ["a page beyond the end", "?thread_id=ann-gus&before_seq=4000&limit=200", [], 0],
    ["a page after a number", "?thread_id=ann-gus&after_seq=4&limit=4", [5, 6, 8], 1],
    ["a page before a missing number", "?thread_id=ann-gus&after_seq=3&limit=2", [5], 1],
    ["a page after a number, without a gap", "?thread_id=ann-gus&after_seq=7", [8, 9], 0],
    ["a page after the end", "?thread_id=ann-gus&after_seq=9", [], 0],
  ])("returns correct pages, and counts those with a gap: %s", async (_, query, seqs, gaps) => {
    const counted = () => readMetric(service.url, "messageoh_messages_page_gaps_total");
    const before = await counted();
    expect(await seqsOf(query)).toEqual(seqs);
    expect((await counted()) - before).toBe(gaps);
  });
});

it("stores a message while reads of users wait for a connection", async () => {
  const { connection } = service;
  const reads = await openTestDatabase({ dbName: connection.name, maxPoolSize: 1 });
  const busy = await serveMessages(users, { connection, reads: reads.connection });
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await connection.collection("any").insertOne({});
  const slow = reads.connection.collection("any").find({ $where: "sleep(500) || true" }).toArray().then(note("slow"));
  await pause(50);
  const read = busy.call("/threads/ann", as("ann")).then(note("read"));
  await busy.call("/internal/messages", { method: "POST", body: { messages: [aMessage()] }, headers: internal });
  note("stored")();
  await Promise.all([slow, read]);
  expect(order).toEqual(["stored", "slow", "read"]);
  await busy.close();
  await reads.connection.close();
});
