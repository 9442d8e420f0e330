import type { Message, ThreadState } from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { aMessage } from "../../testing/messages.ts";
import { as, recordPublished, serveMessages, type TestService } from "../../testing/service.ts";

let users: FakeUsers;
let service: TestService;
let thread = "";
let threads = 0;
const { published, publish } = recordPublished();

beforeAll(async () => {
  users = new FakeUsers([]);
  service = await serveMessages(users, { publish });
});
afterAll(() => service.close());
beforeEach(() => {
  threads += 1;
  thread = `thread-${threads}`;
  users.threads = [{ ...threadBetween("ann", "bob"), thread_id: thread }];
  // As a new friendship does.
  service.forgetThread(thread, ["ann", "bob"]);
});

const marks = () => service.connection.collection<{ _id: string; hidden: number[] }>("marks");
/** Stores messages of ann, numbered from 1. */
const store = (...texts: string[]) => service.store(...texts.map((text) => aMessage({ thread_id: thread, text })));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index + 1}`);
const hide = (name: string, seq: number, hidden = true) =>
  service.call<{ error?: string }>(`/messages/${name}/${thread}/${seq}/hidden`, {
    ...{ method: "PUT", body: { hidden } },
    ...as(name),
  });
const list = async (name: string, query = "") => {
  const { body } = await service.call<Message[]>(`/messages/${name}?${query}`, as(name));
  return body.map(({ text }) => text);
};
const ofThread = (name: string, query = "") => list(name, `thread_id=${thread}&${query}`);
const stateOf = async (name: string) =>
  (await service.call<ThreadState[]>(`/threads/${name}`, as(name))).body[0] as ThreadState;
const exported = async (name: string) =>
  (await service.call<{ messages: Message[] }>(`/messages/${name}/export`, as(name))).body.messages.map(
    ({ text }) => text,
  );

describe("a hidden message", () => {
  it.each(["ann", "bob"])("is in no list of %s, who has hidden it, and in all lists of the other", async (name) => {
    const other = name === "ann" ? "bob" : "ann";
    await store("one", "two", "three");
    await service.call(`/messages/ann/${thread}/2`, {
      ...{ method: "PUT", body: { text: "second", op_id: `op-${thread}`, base: 0 } },
      ...as("ann"),
    });
    expect(await hide(name, 2)).toMatchObject({ status: 200, body: { thread_id: thread, seq: 2, hidden: true } });
    const lists = async (of: string) => [
      await ofThread(of),
      await ofThread(of, "after_seq=0"),
      await ofThread(of, "before_seq=3"),
      await list(of),
      await exported(of),
      [
        ...(await ofThread(of, "after_change=0")),
        ...(await ofThread(of, "search=second")),
        ...(await list(of, "search=second")),
      ],
    ];
    const rest = ["one", "three"];
    expect(await lists(name)).toEqual([rest, rest, ["one"], rest, rest, []]);
    const all = ["one", "second", "three"];
    expect(await lists(other)).toEqual([all, all, ["one", "second"], all, all, ["second", "second", "second"]]);
  });

  it("changes no number, no unread count and no state of the friend", async () => {
    await store("one", "two");
    const [before, beforeOfFriend] = [await stateOf("bob"), await stateOf("ann")];
    expect(before).toMatchObject({ unread_count: 2, last_message: { text: "two" } });
    await hide("bob", 2);
    expect(await stateOf("bob")).toEqual({ ...before, last_message: null, hidden: [2] });
    expect(await stateOf("ann")).toEqual(beforeOfFriend);
  });

  it("is announced to the user only, and stored beside the message", async () => {
    await store("one");
    const rows = () => service.connection.collection("thread_messages").find({ thread_id: thread }).toArray();
    const before = await rows();
    published.length = 0;
    await hide("bob", 1);
    expect(published.map(([channel, event]) => [channel, event])).toEqual([
      ["user:bob", expect.objectContaining({ type: "message_hidden", thread_id: thread, seq: 1, hidden: true })],
    ]);
    expect(await rows()).toEqual(before);
  });

  it("is shown again, and both calls can be repeated", async () => {
    await store("one", "two");
    await hide("bob", 2);
    await hide("bob", 2);
    expect(await ofThread("bob")).toEqual(["one"]);
    for (const _ of [1, 2]) {
      expect(await hide("bob", 2, false)).toMatchObject({ status: 200, body: { seq: 2, hidden: false } });
    }
    expect(await ofThread("bob")).toEqual(["one", "two"]);
    expect(await stateOf("bob")).not.toHaveProperty("hidden");
  });

  it("makes room in the newest lists for older ones", async () => {
    await store(...numbered(5));
    await hide("bob", 5);
    await hide("bob", 4);
    expect([await list("bob", "limit=1"), await ofThread("bob", "limit=2")]).toEqual([
      ["text 3"],
      ["text 2", "text 3"],
    ]);
    for (const seq of [1, 2, 3]) await hide("bob", seq);
    expect([await list("bob"), await ofThread("bob")]).toEqual([[""], []]);
  });

  it("takes no place in a page of a search, in a thread of 150 messages", async () => {
    await store(...numbered(150));
    await hide("bob", 150);
    await hide("bob", 99);
    const found = await ofThread("bob", "search=text&limit=60");
    expect(found).toEqual(
      numbered(150)
        .filter((_, index) => index !== 149 && index !== 98)
        .slice(-60)
        .toReversed(),
    );
  });

  it("may be a deleted one, and may be in a thread with a deleted account", async () => {
    await store("one", "two");
    await service.call(`/messages/ann/${thread}/1`, { method: "DELETE", ...as("ann") });
    expect((await hide("bob", 1)).status).toBe(200);
    users.threads = users.threads.map((known) => ({ ...known, is_closed: true }));
    service.forgetThread(thread);
    expect((await hide("bob", 2)).status).toBe(200);
    expect(await ofThread("bob")).toEqual([]);
  });
});

describe("hiding", () => {
  it("is refused to a stranger and a former friend, and without the message", async () => {
    await store("one");
    const refused = { status: 403, body: { error: "This is not yours" } };
    expect(await hide("eve", 1)).toMatchObject(refused);
    expect(await hide("bob", 2)).toMatchObject({ status: 404, body: { error: "No such message" } });
    users.threads = [];
    service.forgetThread(thread);
    expect(await hide("bob", 1)).toMatchObject(refused);
    expect(await marks().countDocuments({ _id: { $in: [`${thread}:bob`, `${thread}:eve`] } })).toBe(0);
  });

  it("is refused after 1,000 messages of a thread, until one of them is shown again", async () => {
    await store("one", "two");
    const _id = `${thread}:bob`;
    await marks().insertOne({ _id, hidden: Array.from({ length: 999 }, (_, index) => index + 1_000) });
    const statuses = (await Promise.all([hide("bob", 1), hide("bob", 2)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    const { hidden = [] } = await stateOf("bob");
    const seq = hidden.includes(1) ? 1 : 2;
    expect((await hide("bob", seq)).status).toBe(200);
    expect(await hide("bob", 3 - seq)).toMatchObject({
      ...{ status: 409, body: { error: "You have already deleted 1000 messages of this chat for yourself" } },
    });
    await hide("bob", seq, false);
    expect((await hide("bob", 3 - seq)).status).toBe(200);
  });
});

describe("a starred message", () => {
  const star = (name: string, seq: number, starred = true) =>
    service.call<{ error?: string }>(`/messages/${name}/${thread}/${seq}/star`, {
      ...{ method: "PUT", body: { starred } },
      ...as(name),
    });
  const starred = async (name: string, query = "") =>
    (await service.call<Message[]>(`/starred/${name}?${query}`, as(name))).body.map(({ text }) => text);

  it("is in the list of the user only, newest first and in pages, and its number in the state of the thread", async () => {
    await store(...numbered(3));
    for (const seq of [1, 3, 2, 2])
      expect(await star("bob", seq)).toMatchObject({ status: 200, body: { seq, starred: true } });
    expect(await starred("bob")).toEqual(["text 3", "text 2", "text 1"]);
    expect(await starred("bob", "limit=2")).toEqual(["text 3", "text 2"]);
    const { body } = await service.call<Message[]>("/starred/bob?limit=2", as("bob"));
    expect(await starred("bob", `limit=2&before_id=${body.at(-1)?.id}`)).toEqual(["text 1"]);
    expect((await stateOf("bob")).starred?.toSorted()).toEqual([1, 2, 3]);
    expect([await starred("ann"), (await stateOf("ann")).starred]).toEqual([[], undefined]);
    await star("bob", 3, false);
    await hide("bob", 2);
    expect(await starred("bob")).toEqual(["text 1"]);
  });

  it("is announced to the user only", async () => {
    await store("one");
    published.length = 0;
    await star("bob", 1);
    expect(published).toEqual([
      ["user:bob", expect.objectContaining({ type: "message_starred", thread_id: thread, seq: 1, starred: true })],
    ]);
  });

  it("is one of at most 1,000 in all threads together", async () => {
    await store("one", "two");
    const other = `${thread}-other`;
    users.threads.push({ ...threadBetween("bob", "cyd"), thread_id: other });
    service.forgetThread(other, ["bob", "cyd"]);
    const many = Array.from({ length: 999 }, (_, index) => index + 1);
    await service.connection
      .collection<{ _id: string; starred: number[] }>("marks")
      .insertOne({ _id: `${other}:bob`, starred: many });
    expect((await star("bob", 1)).status).toBe(200);
    expect(await star("bob", 2)).toMatchObject({
      ...{ status: 409, body: { error: "You can star 1000 messages. Please remove another star first" } },
    });
    expect((await star("bob", 1)).status).toBe(200);
    await star("bob", 1, false);
    expect((await star("bob", 2)).status).toBe(200);
  });

  it("is refused to a stranger, and without the message", async () => {
    expect(await star("eve", 1)).toMatchObject({ status: 403 });
    expect(await star("bob", 1)).toMatchObject({ status: 404, body: { error: "No such message" } });
  });
});

describe("a draft", () => {
  const save = (name: string, text: string) =>
    service.call<{ error?: string }>(`/drafts/${name}/${thread}`, { method: "PUT", body: { text }, ...as(name) });

  it("is known to the user's own devices only, and the last call wins", async () => {
    published.length = 0;
    expect(await save("bob", "  I think")).toMatchObject({
      status: 200,
      body: { draft: { text: "  I think", rev: 1 } },
    });
    await save("bob", "");
    expect((await stateOf("bob")).draft).toEqual({ text: "", rev: 2 });
    expect((await stateOf("ann")).draft).toBeUndefined();
    expect(published.map(([channel, event]) => [channel, event.type])).toEqual([
      ["user:bob", "draft_saved"],
      ["user:bob", "draft_saved"],
    ]);
  });

  it("gets a higher number with each call of several devices at once", async () => {
    const saved = await Promise.all(["a", "b", "c"].map((text) => save("bob", text)));
    const drafts = saved.map(({ body }) => (body as { draft?: { rev: number } }).draft?.rev);
    expect(drafts.toSorted()).toEqual([1, 2, 3]);
  });

  it.each([
    ["too long", "x".repeat(4_001), "A draft has at most 4000 characters"],
    ["not storable", "\0", "Contains invalid characters"],
  ])("that is %s is refused", async (_, text, error) => {
    expect(await save("bob", text)).toMatchObject({ status: 400, body: { error } });
  });

  it("and those of all other threads have at most 1 MB together", async () => {
    const other = `${thread}-other`;
    users.threads.push({ ...threadBetween("bob", "cyd"), thread_id: other });
    service.forgetThread(other, ["bob", "cyd"]);
    const kept = { draft: { text: "x".repeat(999_980), rev: 1 } };
    await service.connection
      .collection<{ _id: string }>("marks")
      .insertOne({ _id: `${other}:bob`, ...kept } as { _id: string });
    expect((await save("bob", "é".repeat(10))).status).toBe(200);
    expect(await save("bob", "é".repeat(11))).toMatchObject({
      ...{ status: 409, body: { error: "Your drafts are too long. Please send or delete some of them first" } },
    });
    expect((await stateOf("bob")).draft).toEqual({ text: "é".repeat(10), rev: 1 });
    expect((await save("ann", "é".repeat(11))).status).toBe(200);
    await service.connection
      .collection<{ _id: string }>("marks")
      .updateOne({ _id: `${other}:bob` }, { $set: { "draft.text": "x".repeat(1_000_001) } });
    expect((await save("bob", "")).status).toBe(200);
  });

  it("is refused to a stranger and to a deleted account", async () => {
    expect((await save("eve", "hi")).status).toBe(403);
    users.threads = users.threads.map((known) => ({ ...known, is_closed: true }));
    service.forgetThread(thread);
    expect(await save("bob", "hi")).toMatchObject({ status: 403, body: { error: "This account was deleted" } });
  });

  it("and the stars are in the download, and go with the account", async () => {
    await store("one", "two");
    await save("bob", "not sent");
    await service.call(`/messages/bob/${thread}/1/star`, { method: "PUT", body: { starred: true }, ...as("bob") });
    const { body } = await service.call<object>("/messages/bob/export", as("bob"));
    expect(body).toMatchObject({
      drafts: [{ thread_id: thread, text: "not sent" }],
      messages: [{ text: "one", is_starred: true }, { text: "two" }],
    });
    users.deletions.push({ user_id: "bob", texts: "keep", is_open: true });
    await Promise.all(await service.deletions.run());
    expect(await marks().countDocuments({ _id: `${thread}:bob` })).toBe(0);
  });
});
