import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { MessageItem, MessagesEvent } from "@messageoh/contracts/bus";
import { ApiError } from "@messageoh/contracts/client";
import { ACCOUNT_DELETED } from "@messageoh/contracts/errorTexts";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { StreamStoreResult } from "@messageoh/contracts/messageStream";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createPosition } from "@messageoh/service-kit/position";
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import { aMessage, resultsOf } from "../../testing/messages.ts";
import { createEvents } from "../messages/events.ts";
import { createInsert, createMessages, type Insert, type Messages } from "../messages/message.model.ts";
import { createRefuse, type Refuse } from "../messages/refusedMessage.ts";
import { createMembers } from "../threads/members.ts";
import { createThreads } from "../threads/thread.model.ts";
import { createStore } from "./store.ts";
import { createStoreBatch } from "./storeBatch.ts";

let messages: Messages;
let insert: Insert;
let refuse: Refuse;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
  insert = createInsert(database.connection);
  refuse = createRefuse(database.connection, messages);
});
afterAll(() => drop());
beforeEach(() => messages.deleteMany({}));

const FRIENDS = ["bob", "cyd", "dan"];

/** Creates the storing function on a real database, with a fake svc-users. */
function setUp(ownInsert: Insert = insert) {
  const users = new FakeUsers(FRIENDS.map((friend) => threadBetween("ann", friend)));
  const published: MessageItem[] = [];
  const position = createPosition("messages");
  const events = createEvents(async (all) => {
    const toAnn = all.filter(([channel]) => channel === "user:ann");
    published.push(...toAnn.flatMap(([, event]) => (event as MessagesEvent).items));
    return new Set();
  }, position);
  const threads = createThreads(messages);
  const { findLastSeq } = threads;
  const storeBatch = createStoreBatch({ messages, insert: ownInsert, threads, position });
  const members = createMembers(users.call);
  const store = resultsOf(
    createStore({
      members,
      resolve: async (message) => message,
      findLastSeq,
      storeBatch,
      refuse,
      events,
      logger: silentLogger,
    }),
  );
  return { users, members, store, published, publishedTexts: () => published.map(({ message }) => message.text) };
}
const to = (friend: string, text = "hello", parts: Partial<NewMessage> = {}) =>
  aMessage({ thread_id: `ann-${friend}`, recipient_user_id: friend, text, ...parts });
const summary = (results: StreamStoreResult[]) =>
  results.map((result) => {
    if ("message" in result) return result.message.seq;
    return "error" in result ? result.error : "retry";
  });
const RETRY_ALL = (count: number) => Array.from({ length: count }, () => "retry");
const NOT_FRIENDS = "You can only write to your friends";
const works = async () => {};
const failWith = (status: number) => () => Promise.reject(new ApiError(status));

it("stores the messages of other threads while a lookup and an insert hang", async () => {
  const hung = Promise.withResolvers<void>();
  const { users, store, publishedTexts } = setUp(async (rows) => {
    if (rows.some(({ text }) => text === "hung")) await hung.promise;
    return insert(rows);
  });
  await store(FRIENDS.map((friend) => to(friend, "first")));
  const behind = store([to("bob", "hung")]);
  await nextTurn();
  users.beforeResponse = (threadId) => (threadId === "unknown" ? hung.promise : works());
  const lookedUp = store([to("bob", "no thread", { thread_id: "unknown" })]);
  const began = performance.now();
  expect(summary(await store([to("cyd", "quiet"), to("dan", "quiet")]))).toEqual([2, 2]);
  expect(performance.now() - began).toBeLessThan(1_000);
  hung.resolve();
  expect(summary(await behind)).toEqual([2]);
  expect(summary(await lookedUp)).toEqual([NOT_FRIENDS]);
  expect(publishedTexts().slice(3)).toEqual(["quiet", "quiet", "hung"]);
});

it("gives up an insert that hangs, and stores its message once when the caller retries", async () => {
  const hung = Promise.withResolvers<void>();
  let inserts = 0;
  const { store } = setUp(async (rows) => {
    inserts += 1;
    if (inserts === 1) await hung.promise;
    return insert(rows);
  });
  const message = to("bob");
  expect(summary(await store([message, to("bob", "behind")]))).toEqual(["retry", "retry"]);
  expect(summary(await store([message]))).toEqual([1]);
  hung.resolve();
  // The late insert still stores the other message, which must not happen during the next test.
  await until(async () => (await messages.countDocuments({ text: "behind" })) === 1);
  expect(await messages.countDocuments({ text: "hello" })).toBe(1);
});

it("stores the number of the message that a reply is for, and refuses a reply to one that does not exist", async () => {
  const { store } = setUp();
  await store([to("bob", "first")]);
  const [reply] = await store([to("bob", "reply", { reply_to: 1 })]);
  expect(reply).toMatchObject({ message: { seq: 2, reply_to: 1 } });
  expect(summary(await store([to("bob", "too early", { reply_to: 3 })]))).toEqual([
    "The message that you reply to does not exist",
  ]);
  expect(await messages.countDocuments({ thread_id: "ann-bob" })).toBe(2);
});

it("stores messages of two threads with the same client id", async () => {
  const { store, publishedTexts } = setUp();
  const { client_id } = to("bob");
  await store([to("bob", "to bob", { client_id })]);
  expect(summary(await store([to("cyd", "to cyd", { client_id })]))).toEqual([1]);
  expect(publishedTexts()).toEqual(["to bob", "to cyd"]);
});

describe("with the unique index of the previous release", () => {
  const OLD_INDEX = { sending_user_id: 1, client_id: 1 } as const;
  beforeAll(async () => {
    await messages.deleteMany({});
    await messages.createIndex(OLD_INDEX, { unique: true });
  });
  afterAll(() => messages.dropIndex("sending_user_id_1_client_id_1"));

  it("refuses a message whose client id names a message of another thread, and stores the others of its batch", async () => {
    const { store, publishedTexts } = setUp();
    const { client_id } = to("bob");
    await store([to("bob", "old text", { client_id })]);
    const results = await store([to("dan", "1"), to("cyd", "new text", { client_id }), to("dan", "2")]);
    expect(summary(results)).toEqual([1, "This client_id belongs to another message", 2]);
    expect(publishedTexts()).toEqual(["old text", "1", "2"]);
  });

  it("acknowledges a message that is sent again", async () => {
    const { store } = setUp();
    const message = to("bob");
    expect(summary([...(await store([message])), ...(await store([message]))])).toEqual([1, 1]);
  });
});

it("keeps the order of a thread whose lookup takes a few milliseconds", async () => {
  const { users, store, publishedTexts } = setUp();
  users.beforeResponse = () => new Promise((resolve) => setTimeout(resolve, 5));
  const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
  const results = await store(texts.map((text) => to("bob", text)));
  expect(summary(results)).toEqual(texts.map((_, index) => index + 1));
  expect(publishedTexts()).toEqual(texts);
  expect(users.lookedUp).toEqual(["ann-bob"]);
});

it("names the message before each new one, whichever process stored it", async () => {
  const [one, two] = [setUp(), setUp()];
  const repeated = to("bob", "1");
  await one.store([repeated, to("bob", "2")]);
  await two.store([to("bob", "3")]);
  await one.store([repeated, to("bob", "4"), to("bob", "5")]);
  const items = [...one.published, ...two.published];
  const textOf = new Map(items.map(({ message }) => [message.id, message.text]));
  const before = items.filter(({ is_repeat }) => !is_repeat).map(({ previous_id = "" }) => textOf.get(previous_id));
  expect(before).toEqual([undefined, "1", "3", "4", "2"]);
  const repeat = items.find(({ is_repeat }) => is_repeat);
  expect([repeat?.message.text, repeat?.previous_id]).toEqual(["1", undefined]);
});

it.each([0, 400, 404, 429, 500, 503])("asks to retry a message if svc-users fails with %i", async (status) => {
  const { users, store } = setUp();
  users.beforeResponse = async (threadId) => (threadId === "ann-bob" ? failWith(status)() : undefined);
  expect(summary(await store([to("bob"), to("cyd")]))).toEqual(["retry", 1]);
});

it("asks to retry all messages while the database fails, publishes none, and stores them later", async () => {
  let isFailing = true;
  const { store, publishedTexts } = setUp(async (rows) => {
    if (isFailing) throw new Error("no primary");
    return insert(rows);
  });
  const batch = FRIENDS.flatMap((friend) => [to(friend, "1"), to(friend, "2")]);
  expect(summary(await store(batch))).toEqual(RETRY_ALL(6));
  expect(publishedTexts()).toEqual([]);
  isFailing = false;
  expect(summary(await store(batch))).toEqual([1, 2, 1, 2, 1, 2]);
});

it("publishes messages that a failed insert stored when they are retried", async () => {
  let failures = 1;
  const { store, publishedTexts } = setUp(async (rows) => {
    const done = await insert(rows);
    if (failures-- > 0) throw new Error("connection lost");
    return done;
  });
  const batch = [to("bob", "1"), to("bob", "2")];
  expect(summary(await store(batch))).toEqual(RETRY_ALL(2));
  expect(publishedTexts()).toEqual([]);
  expect(summary(await store(batch))).toEqual([1, 2]);
  expect(publishedTexts()).toEqual(["1", "2"]);
  expect(await messages.countDocuments()).toBe(2);
});

it("refuses the messages of a friendship as soon as it learns that it has ended, and no others", async () => {
  const { users, members, store, publishedTexts } = setUp();
  expect(summary(await store([to("bob", "1"), to("cyd", "2")]))).toEqual([1, 1]);
  users.endFriendship("ann-bob");
  expect(summary(await store([to("bob", "3")]))).toEqual([2]);
  members.forget("ann-bob");
  expect(summary(await store([to("bob", "4"), to("cyd", "5")]))).toEqual([NOT_FRIENDS, 2]);
  expect(publishedTexts()).toEqual(["1", "2", "3", "5"]);
});

it("acknowledges a message that was stored before the friendship ended and is sent again", async () => {
  const { users, members, store, publishedTexts } = setUp();
  const message = to("bob", "stored, but its ack was lost");
  await store([message]);
  users.endFriendship("ann-bob");
  members.forget("ann-bob");
  expect(summary(await store([message, to("bob", "new")]))).toEqual([1, NOT_FRIENDS]);
  expect(publishedTexts()).toEqual(["stored, but its ack was lost"]);
});

it("does not store a message whose friendship ends while the message waits for the batch before it", async () => {
  const inserting = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { users, members, store } = setUp(async (rows) => {
    inserting.resolve();
    await goOn.promise;
    return insert(rows);
  });
  const first = store([to("bob", "1")]);
  await inserting.promise;
  const second = store([to("bob", "2")]);
  await nextTurn();
  users.endFriendship("ann-bob");
  members.forget("ann-bob");
  goOn.resolve();
  expect([summary(await first), summary(await second)]).toEqual([[1], ["retry"]]);
  expect(summary(await store([to("bob", "2")]))).toEqual([NOT_FRIENDS]);
  expect(await messages.countDocuments({ thread_id: "ann-bob", seq: { $gt: 0 } })).toBe(1);
});

it("stores no message that was refused, even if an earlier attempt to store it completes later", async () => {
  const inserting = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = setUp(async (rows) => {
    inserting.resolve();
    await goOn.promise;
    return insert(rows);
  });
  const other = setUp();
  const message = to("bob", "1");
  const first = slow.store([message]);
  await inserting.promise;
  other.users.endFriendship("ann-bob");
  expect(summary(await other.store([message]))).toEqual([NOT_FRIENDS]);
  goOn.resolve();
  expect(summary(await first)).toEqual([NOT_FRIENDS]);
  expect(await messages.countDocuments({ thread_id: "ann-bob", seq: { $gt: 0 } })).toBe(0);
  expect(slow.publishedTexts()).toEqual([]);
});

it("stores the other messages of a batch that contains a refused one", async () => {
  const { users, store } = setUp();
  const refusedOne = to("bob", "2");
  const { threads } = users;
  users.endFriendship("ann-bob");
  await store([refusedOne]);
  users.threads = threads;
  const results = await store([to("bob", "1"), refusedOne, to("bob", "3"), to("cyd", "4")]);
  expect(summary(results)).toEqual([1, NOT_FRIENDS, 2, 1]);
});

it("acknowledges a message that was stored before the account of the recipient was deleted", async () => {
  const { users, members, store } = setUp();
  const message = to("bob", "stored, but its ack was lost");
  await store([message]);
  users.threads = users.threads.map((thread) => ({ ...thread, is_closed: true }));
  members.forget("ann-bob");
  expect(summary(await store([message, to("bob", "new")]))).toEqual([1, ACCOUNT_DELETED]);
});

it("refuses a message to a former friend although every response of svc-users is late", async () => {
  const { users, store } = setUp();
  users.endFriendship("ann-bob");
  users.beforeResponse = () => pause(100);
  expect(summary(await store([to("bob")]))).toEqual([NOT_FRIENDS]);
});

it("stores messages of pairs that chat while svc-users is down", async () => {
  const { users, store } = setUp();
  await store([to("bob", "1")]);
  users.isDown = true;
  expect(summary(await store([to("bob", "2"), to("cyd", "3")]))).toEqual([2, "retry"]);
});
