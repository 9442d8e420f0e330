import type { Message } from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { mongo } from "mongoose";
import { aMessage } from "../../testing/messages.ts";
import { as, recordPublished, serveMessages, type TestService } from "../../testing/service.ts";
import { COLLECTION } from "../messages/message.model.ts";
import { pinnedFilter } from "../reading/history.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let users: FakeUsers;
let one: TestService;
let two: TestService;
let thread = "";
let threads = 0;
const { published, publish } = recordPublished();

beforeAll(async () => {
  database = await openTestDatabase();
  users = new FakeUsers([]);
  one = await serveMessages(users, { publish, connection: database.connection });
  two = await serveMessages(users, { publish, connection: database.connection });
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await database.drop();
});
beforeEach(() => {
  threads += 1;
  thread = `thread-${threads}`;
  users.threads.push({ ...threadBetween("ann", "bob"), thread_id: thread });
});

const rows = () => database.connection.collection(COLLECTION);
/** Stores messages of ann, numbered from 1. */
const store = (...texts: string[]) => one.store(...texts.map((text) => aMessage({ thread_id: thread, text })));
const at = (name: string, seq: number) => `/messages/${name}/${thread}/${seq}`;
type Response = { status: number; body: Message & { error?: string; message?: Message } };
let operations = 0;
const edit = (name: string, seq: number, text: string, base = 0, op_id = `op-${++operations}`, service = one) =>
  service.call(at(name, seq), { method: "PUT", body: { text, op_id, base }, ...as(name) }) as Promise<Response>;
const remove = (name: string, seq: number, service = one) =>
  service.call(at(name, seq), { method: "DELETE", ...as(name) }) as Promise<Response>;
const react = (name: string, seq: number, emoji: string | null, service = one) =>
  service.call(`${at(name, seq)}/reaction`, { method: "PUT", body: { emoji }, ...as(name) }) as Promise<Response>;
const pin = (name: string, seq: number, pinned = true, service = one) =>
  service.call(`${at(name, seq)}/pin`, { method: "PUT", body: { pinned }, ...as(name) }) as Promise<Response>;
const edits = async (name: string, seq: number) =>
  (await one.call<{ text: string }[]>(`${at(name, seq)}/edits`, as(name))).body.map(({ text }) => text);
const list = async (query: string, name = "bob") =>
  (await one.call<Message[]>(`/messages/${name}?thread_id=${thread}&${query}`, as(name))).body;
const search = async (text: string) => (await list(`search=${text}`)).map((message) => message.text);

describe("an edit", () => {
  it("replaces the text for both, keeps the number, and is published with the next change number", async () => {
    await store("hello", "wrold");
    published.length = 0;
    const { status, body } = await edit("ann", 2, "world");
    expect(status).toBe(200);
    expect(body).toMatchObject({ seq: 2, text: "world", change: 1, edit_count: 1, edited_at: expect.any(String) });
    expect(await list("limit=10")).toMatchObject([{ text: "hello" }, { text: "world", edit_count: 1 }]);
    expect(await edits("bob", 2)).toEqual(["wrold", "world"]);
    expect(published.map(([channel, event]) => [channel, event.type])).toEqual([
      ["user:ann", "message_changed"],
      ["user:bob", "message_changed"],
    ]);
    expect(published[0]?.[1]).toMatchObject({ message: body });
  });

  it("does not change the unread count or the order, and shows in the list of threads", async () => {
    await store("one", "two");
    await edit("ann", 1, "first");
    const { body } = await one.call<{ thread_id: string }[]>("/threads/bob", as("bob"));
    expect(body.find(({ thread_id }) => thread_id === thread)).toMatchObject({
      ...{ unread_count: 2, last_seq: 2, last_change: 1 },
      last_message: { text: "two" },
    });
  });

  it("is made once if its response is lost, even if another edit follows", async () => {
    await store("one");
    await edit("ann", 1, "two", 0, "lost");
    expect((await edit("ann", 1, "two", 0, "lost")).body).toMatchObject({ text: "two", change: 1 });
    await edit("ann", 1, "three", 1);
    expect((await edit("ann", 1, "two", 0, "lost")).body).toMatchObject({ text: "three", change: 2 });
  });

  it("loses to the edit of another device, and gets the newest state", async () => {
    await store("one");
    await edit("ann", 1, "two");
    const { status, body } = await edit("ann", 1, "too late");
    expect(status).toBe(409);
    expect(body).toMatchObject({
      error: "This message was changed on another device",
      message: { text: "two", edit_count: 1 },
    });
  });

  it("of two devices at once is made by one of them", async () => {
    await store("one");
    const results = await Promise.all([edit("ann", 1, "left"), edit("ann", 1, "right", 0, "other", two)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("is not an edit if the text is the same", async () => {
    await store("one");
    const { body } = await edit("ann", 1, "one");
    expect(body).toMatchObject({ text: "one" });
    expect(body).not.toHaveProperty("change");
  });

  it.each([
    ["of the friend's message", () => edit("bob", 1, "mine"), 403, "You can only edit your own messages"],
    ["of a message that does not exist", () => edit("ann", 9, "text"), 404, "No such message"],
    ["without text", () => edit("ann", 1, " "), 400, "A message cannot be empty"],
    ["that is too long", () => edit("ann", 1, "x".repeat(4_001)), 400, "A message has at most 4000 characters"],
  ])("%s is refused", async (_, request, status, error) => {
    await store("one");
    expect(await request()).toMatchObject({ status, body: { error } });
  });

  it("is refused a day after the message was sent, and after ten edits", async () => {
    await store("one");
    for (let count = 0; count < 10; count += 1) {
      expect((await edit("ann", 1, `${count} ${"文".repeat(3_990)}`, count)).status).toBe(200);
    }
    expect(await edit("ann", 1, "once more", 10)).toMatchObject({
      ...{ status: 403, body: { error: "A message can be edited 10 times" } },
    });
    const dayBefore = (Date.now() - 86_401_000).toString(16).padStart(12, "0");
    await rows().updateOne({ thread_id: thread }, { $set: { id: `${dayBefore}aaaaaa000000`, edit_count: 1 } });
    expect(await edit("ann", 1, "later", 1)).toMatchObject({
      ...{ status: 403, body: { error: "A message can be edited for 24 hours" } },
    });
  });
});

describe("a deletion", () => {
  it("leaves a tombstone without text, history and reactions", async () => {
    await store("secret");
    await edit("ann", 1, "secret too");
    await react("bob", 1, "👍");
    const { body } = await remove("ann", 1);
    expect(body).toMatchObject({ seq: 1, text: "deleted", change: 3, deleted_at: expect.any(String) });
    expect(await edits("bob", 1)).toEqual([]);
    expect(JSON.stringify(await rows().find({ thread_id: thread }).toArray())).not.toMatch(/secret|👍/);
  });

  it("is final: neither an edit nor a reaction changes a deleted message, and another deletion changes nothing", async () => {
    await store("one");
    await remove("ann", 1);
    const refused = { status: 409, body: { error: "This message was deleted", message: { change: 1 } } };
    expect(await edit("ann", 1, "two")).toMatchObject(refused);
    expect(await react("bob", 1, "👍")).toMatchObject(refused);
    expect(await remove("ann", 1)).toMatchObject({ status: 200, body: { change: 1 } });
  });

  it("of the friend's message is refused", async () => {
    await store("one");
    expect(await remove("bob", 1)).toMatchObject({
      status: 403,
      body: { error: "You can only delete your own messages" },
    });
  });

  it("and an edit at the same time end in a deletion", async () => {
    await store("one");
    const [, removed] = await Promise.all([edit("ann", 1, "two"), remove("ann", 1, two)]);
    expect(removed.status).toBe(200);
    expect(await list("limit=1")).toMatchObject([{ text: "deleted" }]);
  });
});

describe("a reaction", () => {
  it("is one per person, and is replaced and removed by its owner", async () => {
    await store("one");
    await react("ann", 1, "👍");
    await react("bob", 1, "😂");
    expect((await react("bob", 1, "❤️")).body.reactions).toEqual([
      { user_id: "ann", emoji: "👍" },
      { user_id: "bob", emoji: "❤️" },
    ]);
    expect((await react("bob", 1, "❤️")).body.change).toBe(3);
    await react("bob", 1, null);
    const { body } = await react("ann", 1, null);
    expect(body.change).toBe(5);
    expect(body).not.toHaveProperty("reactions");
  });

  it.each(["", "a", "👍👍", "👍 ", "\u{1F3FD}".repeat(20)])("must be one emoji, not %j", async (emoji) => {
    await store("one");
    expect((await react("bob", 1, emoji)).status).toBe(400);
  });
});

describe("a pin", () => {
  const pinnedTexts = async () => (await list("pinned=true")).map(({ text }) => text);

  it("is set and removed by either member, and names who pinned", async () => {
    await store("one", "two");
    expect((await pin("bob", 2)).body).toMatchObject({ change: 1, pinned: { by: "bob", at: expect.any(String) } });
    await pin("ann", 1);
    expect((await pin("ann", 2)).body).toMatchObject({ change: 1, pinned: { by: "bob" } });
    expect(await pinnedTexts()).toEqual(["one", "two"]);
    const { body } = await pin("ann", 2, false);
    expect(body).toMatchObject({ change: 3 });
    expect(body).not.toHaveProperty("pinned");
    expect(await pinnedTexts()).toEqual(["one"]);
  });

  it("is one of at most three, also if several are set at the same time", async () => {
    await store("one", "two", "three", "four", "five");
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((seq) => pin(seq % 2 === 0 ? "ann" : "bob", seq, true, seq > 2 ? two : one)),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409]);
    expect(results.find(({ status }) => status === 409)?.body).toEqual({
      error: "A chat has at most 3 pinned messages. Please unpin another one first",
    });
    expect(await pinnedTexts()).toHaveLength(3);
  });

  it("ends with the message, and a deleted message cannot be pinned", async () => {
    await store("one");
    await pin("bob", 1);
    await remove("ann", 1);
    expect(await pinnedTexts()).toEqual([]);
    expect(await pin("bob", 1)).toMatchObject({ status: 409, body: { error: "This message was deleted" } });
  });

  it("is found by an index", async () => {
    await store("one", "two");
    await pin("bob", 2);
    const { executionStats } = await rows().find(pinnedFilter(thread)).explain("executionStats");
    expect(executionStats.totalDocsExamined).toBe(1);
  });
});

it.each(["edit", "remove", "react", "pin"])(
  "refuses a stranger, a former friend and a deleted account: %s",
  async (kind) => {
    await store("one");
    const change = (name: string) => {
      if (kind === "edit") return edit(name, 1, "two");
      if (kind === "pin") return pin(name, 1);
      return kind === "remove" ? remove(name, 1) : react(name, 1, "👍");
    };
    expect(await change("eve")).toMatchObject({ status: 403, body: { error: "This is not yours" } });
    users.threads = users.threads.map((known) => (known.thread_id === thread ? { ...known, is_closed: true } : known));
    for (const { forgetThread } of [one, two]) forgetThread(thread);
    expect(await change("ann")).toMatchObject({ status: 403, body: { error: "This account was deleted" } });
    users.threads = users.threads.filter(({ thread_id }) => thread_id !== thread);
    for (const { forgetThread } of [one, two]) forgetThread(thread);
    expect(await change("ann")).toMatchObject({ status: 403, body: { error: "This is not yours" } });
    expect(await rows().countDocuments({ thread_id: thread, change: { $gt: 0 } })).toBe(0);
  },
);

describe("the change numbers of a thread", () => {
  it("are consecutive, although two processes change its messages at the same time", async () => {
    await store(...Array.from({ length: 9 }, (_, index) => `${index}`));
    const emoji = ["👍", "😂", "❤️"];
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all([
        react("ann", round + 1, emoji[round % 3] as string),
        react("bob", round + 1, emoji[(round + 1) % 3] as string, two),
        edit("ann", 9 - round, `new ${round}`, 0, `r${round}`, two),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    const changed = await list("after_change=0&limit=50");
    expect(changed.map(({ change }) => change)).toEqual(
      changed.map(({ change }) => change).toSorted((a, b) => Number(a) - Number(b)),
    );
    expect(changed.at(-1)?.change).toBe(15);
  });

  it("let a device catch up in pages, with the newest state of each message", async () => {
    await store("one", "two", "three");
    await react("bob", 1, "👍");
    await edit("ann", 2, "second");
    await react("bob", 1, "😂");
    await remove("ann", 3);
    const state = (messages: Message[]) => messages.map(({ seq, change }) => [seq, change]);
    expect(state(await list("after_change=0&limit=2"))).toEqual([
      [2, 2],
      [1, 3],
    ]);
    expect(state(await list("after_change=3&limit=2"))).toEqual([[3, 4]]);
    expect(await list("after_change=4")).toEqual([]);
  });

  it("need a thread", async () => {
    expect((await one.call("/messages/bob?after_change=0", as("bob"))).status).toBe(400);
  });
});

describe("a search", () => {
  it.each([2, 150])("finds the present text of a message, in a thread of %d messages", async (length) => {
    await store(...Array.from({ length }, (_, index) => (index === 1 ? "apple" : `filler ${index}`)));
    expect(await search("apple")).toEqual(["apple"]);
    await edit("ann", 2, "pear");
    expect(await search("apple")).toEqual([]);
    expect(await search("pear")).toEqual(["pear"]);
    await remove("ann", 2);
    expect([await search("pear"), await search("deleted")]).toEqual([[], []]);
    expect(
      await database.connection.collection("search_blocks").countDocuments({ thread_id: thread, texts: /pear/ }),
    ).toBe(0);
  });
});

it("leaves no deleted text in a search block that is built meanwhile", async () => {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { insertOne } = mongo.Collection.prototype;
  const spy = jest.spyOn(mongo.Collection.prototype, "insertOne").mockImplementation(async function (
    this: mongo.Collection,
    ...args
  ) {
    if (this.collectionName === "search_blocks") {
      reached.resolve();
      await gate.promise;
    }
    return insertOne.apply(this, args);
  });
  await store(...Array.from({ length: 100 }, () => "secret"));
  // A collection keeps the methods that it had when the service started.
  const slow = await serveMessages(users, { connection: database.connection });
  const searching = slow.call(`/messages/bob?thread_id=${thread}&search=secret`, as("bob"));
  await reached.promise;
  await remove("ann", 7);
  gate.resolve();
  await searching;
  await slow.close();
  spy.mockRestore();
  const blocks = database.connection.collection("search_blocks");
  expect(await blocks.countDocuments({ thread_id: thread })).toBe(0);
  await search("secret");
  expect(await blocks.countDocuments({ thread_id: thread })).toBe(1);
});

it("puts former texts and reactions into a download", async () => {
  await store("before");
  await edit("ann", 1, "after");
  await react("bob", 1, "👍");
  const { body } = await one.call<{ messages: (Message & { edits?: { text: string }[] })[] }>(
    "/messages/ann/export",
    as("ann"),
  );
  expect(body.messages.find(({ thread_id }) => thread_id === thread)).toMatchObject({
    ...{ text: "after", edits: [{ text: "before" }], reactions: [{ user_id: "bob", emoji: "👍" }] },
  });
});
