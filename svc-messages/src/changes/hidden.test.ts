import type { UserEvent } from "@messageoh/contracts/bus";
import type { Message, ThreadState } from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import type { Publish } from "@messageoh/service-kit/redis";
import { aMessage } from "../../testing/messages.ts";
import { serveMessages, TEST_SECRET, type TestService } from "../../testing/service.ts";

let users: FakeUsers;
let service: TestService;
let thread = "";
let threads = 0;
const published: (readonly [channel: string, event: UserEvent])[] = [];
const publish: Publish = async (events) => {
  published.push(...(events as unknown as typeof published));
  return new Set();
};

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
async function store(...texts: string[]): Promise<void> {
  const messages = texts.map((text) => aMessage({ thread_id: thread, text }));
  const headers = { "x-internal-secret": TEST_SECRET };
  await service.call("/internal/messages", { method: "POST", body: { messages }, headers });
}
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index + 1}`);
const as = (name: string) => ({ cookie: `messageoh_session=TOKEN-${name}` });
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
