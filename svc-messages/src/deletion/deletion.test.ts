import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createPosition } from "@messageoh/service-kit/position";
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import { mongo } from "mongoose";
import { aMessage, resultsOf } from "../../testing/messages.ts";
import { as, serveMessages } from "../../testing/service.ts";
import { createEvents } from "../messages/events.ts";
import { createInsert, createMessages, type MessageRow, messageKey } from "../messages/message.model.ts";
import { createRefuse } from "../messages/refusedMessage.ts";
import { createStore } from "../storing/store.ts";
import { createStoreBatch } from "../storing/storeBatch.ts";
import { createMembers } from "../threads/members.ts";
import { createThreads } from "../threads/thread.model.ts";
import { createDeletionPoll } from "./pollDeletions.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let users: FakeUsers;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
  users = new FakeUsers([threadBetween("ann", "bob"), threadBetween("ann", "cyd")]);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await database.drop();
});

/** Starts an instance on the database of the test. `deletions` runs everything that is to be done now. */
async function start(deletionSettleMs = 0) {
  const service = await serveMessages(users, { connection: database.connection, deletionSettleMs });
  closing.push(service.close);
  async function texts(name: string, query: string): Promise<string[]> {
    const { body } = await service.call<{ text: string }[]>(`/messages/${name}?${query}`, as(name));
    return body.map(({ text }) => text);
  }
  const saveDraft = (name: string, threadId: string) =>
    service.call(`/drafts/${name}/${threadId}`, { method: "PUT", body: { text: "not sent" }, ...as(name) });
  const { run } = service.deletions;
  return {
    poll: run,
    deletions: { run: async () => Promise.all(await run()) },
    store: service.store,
    texts,
    saveDraft,
  };
}
/** Deletes ann's account in the fake svc-users. */
function deleteAnn(texts: "keep" | "remove"): void {
  users.threads = users.threads.map((thread) => ({ ...thread, is_closed: true }));
  users.deletions.push({ user_id: "ann", texts, is_open: true });
}
/**
 * Polls as the service does until `check` returns true: on a busy machine, the next poll repeats a pass that took too
 * long. Returns a function that waits for everything that was started.
 */
async function pollUntil(poll: () => Promise<Promise<void>[]>, check: () => Promise<boolean>) {
  const work: Promise<void>[] = [];
  await until(async () => {
    work.push(...(await poll()));
    return check();
  });
  return () => Promise.all(work);
}
const rowOf = ({ request_id, origin, attachments, preview, ...message }: NewMessage): MessageRow => ({
  ...message,
  _id: messageKey(message.thread_id, 1),
  id: "id",
  seq: 1,
  timestamp: new Date(),
});
const fromBob = (text: string) => aMessage({ sending_user_id: "bob", recipient_user_id: "ann", text });
const toCyd = (text: string) => aMessage({ thread_id: "ann-cyd", recipient_user_id: "cyd", text });

it("replaces the texts of the deleted account for all friends, also in searches, and no others", async () => {
  const { deletions, store, texts } = await start();
  await store(
    ...Array.from({ length: 150 }, (_, index) => aMessage({ text: `secret ${index}` })),
    fromBob("my secret"),
  );
  await store(toCyd("another secret"));
  expect(await texts("bob", "search=secret")).toHaveLength(50);
  deleteAnn("remove");
  await deletions.run();
  expect(await texts("bob", "search=secret")).toEqual(["my secret"]);
  expect(await texts("bob", "thread_id=ann-bob&limit=3")).toEqual(["deleted", "deleted", "my secret"]);
  expect(await texts("cyd", "thread_id=ann-cyd")).toEqual(["deleted"]);
  expect(users.deletions).toMatchObject([{ is_open: false }]);
});

it("removes the former texts and the files of a message whose text is already that of a removed one", async () => {
  const { deletions, store, texts } = await start();
  await store(aMessage({ text: "deleted" }));
  const messages = database.connection.collection("thread_messages");
  const edits = [{ text: "my secret", at: new Date(), op: "op" }];
  await messages.updateOne(
    {},
    { $set: { edits, edit_count: 1, edited_at: new Date(), attachments: [{ id: "file" }] } },
  );
  deleteAnn("remove");
  await deletions.run();
  expect(await texts("bob", "thread_id=ann-bob")).toEqual(["deleted"]);
  const fields = Object.keys((await messages.findOne()) ?? {});
  for (const removed of ["edits", "edit_count", "edited_at", "attachments"]) expect(fields).not.toContain(removed);
});

it("keeps the texts if the user chose so", async () => {
  const { deletions, store, texts } = await start();
  await store(aMessage({ text: "for Bob" }));
  deleteAnn("keep");
  await deletions.run();
  expect(await texts("bob", "thread_id=ann-bob")).toEqual(["for Bob"]);
  expect(users.deletions).toMatchObject([{ is_open: false }]);
});

it("removes what the user kept about threads with friends and former friends, and nothing of others", async () => {
  const { deletions, saveDraft } = await start();
  const marks = database.connection.collection<{ _id: string }>("marks");
  for (const [name, thread] of [
    ["ann", "ann-bob"],
    ["bob", "ann-bob"],
    ["ann", "ann-cyd"],
  ] as const)
    await saveDraft(name, thread);
  users.endFriendship("ann-bob");
  users.formerFriends.set("ann", [{ id: "bob", name: "Bob", thread_id: "ann-bob" }]);
  expect(await marks.countDocuments()).toBe(3);
  deleteAnn("keep");
  await deletions.run();
  expect((await marks.find().toArray()).map(({ _id }) => _id)).toEqual(["ann-bob:bob"]);
  expect(users.deletions).toMatchObject([{ is_open: false }]);
});

it("refuses messages to and from a deleted account on every instance that had cached the thread", async () => {
  const instances = [await start(), await start()];
  for (const { store } of instances) {
    expect((await store(aMessage(), fromBob("hi"))).body.results).toMatchObject([{ message: {} }, { message: {} }]);
  }
  deleteAnn("keep");
  for (const { deletions, store } of instances) {
    await deletions.run();
    const refused = { error: "This account was deleted" };
    expect((await store(aMessage(), fromBob("hi"))).body.results).toEqual([refused, refused]);
  }
});

it("continues after a crash, and repeats nothing that is done", async () => {
  const { store, texts, poll } = await start(60_000);
  await store(aMessage({ text: "one" }));
  await store(toCyd("two"));
  deleteAnn("remove");
  await poll();
  // The process ends before the second pass.
  expect(users.deletions).toMatchObject([{ is_open: true }]);
  const restarted = await start();
  await restarted.deletions.run();
  expect(await texts("bob", "thread_id=ann-bob")).toEqual(["deleted"]);
  expect(await texts("cyd", "thread_id=ann-cyd")).toEqual(["deleted"]);
  expect(users.deletions).toMatchObject([{ is_open: false }]);
  const reads = jest.fn();
  users.beforeResponse = async () => reads();
  await restarted.deletions.run();
  expect(reads).not.toHaveBeenCalled();
});

describe("what was under way when the account was deleted", () => {
  const collection = (name: string) => database.connection.collection(name);

  it("is replaced too, if its insert completes after the first pass", async () => {
    const { poll, store, texts } = await start(300);
    await store(aMessage({ text: "first" }));
    deleteAnn("remove");
    const work = await pollUntil(poll, async () => (await texts("bob", "thread_id=ann-bob"))[0] === "deleted");
    const late = { ...rowOf(aMessage({ text: "late" })), _id: messageKey("ann-bob", 2), id: "late", seq: 2 };
    await collection("thread_messages").insertOne(late as never);
    expect(users.deletions).toMatchObject([{ is_open: true }]);
    await work();
    expect(await texts("bob", "thread_id=ann-bob")).toEqual(["deleted", "deleted"]);
    expect(users.deletions).toMatchObject([{ is_open: false }]);
  });

  it("leaves no old text in a search block that is stored after the first pass", async () => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { insertOne } = mongo.Collection.prototype;
    let block: object | undefined;
    jest.spyOn(mongo.Collection.prototype, "insertOne").mockImplementation(async function (
      this: mongo.Collection,
      ...args
    ) {
      if (this.collectionName === "search_blocks") {
        block = args[0];
        reached.resolve();
        await gate.promise;
      }
      return insertOne.apply(this, args);
    });
    // Long enough for the block to be stored before the second pass.
    const { poll, store, texts } = await start(3_000);
    await store(...Array.from({ length: 100 }, () => aMessage({ text: "secret" })));
    const search = texts("bob", "search=secret");
    await reached.promise;
    deleteAnn("remove");
    const work = await pollUntil(poll, async () => (await texts("bob", "thread_id=ann-bob&limit=1"))[0] === "deleted");
    gate.resolve();
    await search;
    expect(block).toMatchObject({ texts: expect.stringContaining("secret") });
    await work();
    expect(await collection("search_blocks").countDocuments({ texts: /secret/ })).toBe(0);
    jest.restoreAllMocks();
  });

  it("is refused, if it waits behind another message of its thread", async () => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const messages = await createMessages(database.connection);
    const insert = createInsert(database.connection);
    const threads = createThreads(messages);
    const { findLastSeq } = threads;
    const storeBatch = createStoreBatch({
      messages,
      threads,
      position: createPosition("messages"),
      async insert(rows) {
        reached.resolve();
        await gate.promise;
        return insert(rows);
      },
    });
    const members = createMembers(users.call);
    const refuse = createRefuse(database.connection, messages);
    const events = createEvents(async () => new Set(), createPosition("messages"));
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
    const removeTexts = async () => 0;
    const { run } = createDeletionPoll({
      callUsers: users.call,
      members,
      removeTexts,
      forgetMarks: async () => {},
      settleMs: 0,
      logger: silentLogger,
    });
    await members.listOf("ann");
    const first = store([aMessage({ text: "under way" })]);
    await reached.promise;
    const second = aMessage({ text: "waiting" });
    const result = store([second]);
    await nextTurn();
    deleteAnn("keep");
    await Promise.all(await run());
    gate.resolve();
    expect(await first).toMatchObject([{ message: { text: "under way" } }]);
    expect(await result).toEqual([{ retry: true }]);
    expect(await store([second])).toEqual([{ error: "This account was deleted" }]);
  });
});

describe("accounts that are deleted at the same time", () => {
  const openUsers = () => users.deletions.filter(({ is_open }) => is_open).map(({ user_id }) => user_id);

  /** Deletes the accounts of ann and dan, and starts to replace their texts. */
  async function deleteBoth(removeTexts: (threadId: string) => Promise<number>) {
    users.threads.push(threadBetween("bob", "dan"));
    const members = createMembers(users.call);
    await members.listOf("bob");
    deleteAnn("remove");
    users.deletions.push({ user_id: "dan", texts: "remove", is_open: true });
    const deletions = createDeletionPoll({
      callUsers: users.call,
      members,
      removeTexts,
      forgetMarks: async () => {},
      settleMs: 0,
      logger: silentLogger,
    });
    return { members, deletions, work: await deletions.run() };
  }

  it("do not wait for each other", async () => {
    const isHanging = (threadId: string) => threadId.startsWith("ann");
    const { members, work } = await deleteBoth(async (id) => (isHanging(id) ? new Promise(() => undefined) : 0));
    expect(await members.find("bob-dan", "bob")).toMatchObject({ is_closed: true });
    await work[1];
    expect(openUsers()).toEqual(["ann"]);
  });

  it("do not fail together, and one that failed is retried", async () => {
    const removeTexts = jest.fn(async (threadId: string) => {
      if (threadId === "ann-bob") throw new Error("the database failed");
      return 0;
    });
    const { work, deletions } = await deleteBoth(removeTexts);
    await Promise.all(work);
    expect(openUsers()).toEqual(["ann"]);
    removeTexts.mockResolvedValue(0);
    await Promise.all(await deletions.run());
    expect(openUsers()).toEqual([]);
  });
});
