import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { serveMessages, TEST_SECRET } from "../../testing/service.ts";

const headers = { "x-internal-secret": TEST_SECRET };

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

/** Starts an instance on the database of the test. */
async function start() {
  const service = await serveMessages(users, { connection: database.connection });
  closing.push(service.close);
  const store = (...messages: unknown[]) =>
    service.call<{ results: unknown }>("/internal/messages", { method: "POST", body: { messages }, headers });
  async function texts(name: string, query: string): Promise<string[]> {
    const cookie = `messageoh_session=TOKEN-${name}`;
    const { body } = await service.call<{ text: string }[]>(`/messages/${name}?${query}`, { cookie });
    return body.map(({ text }) => text);
  }
  return { deletions: service.deletions, store, texts };
}
/** Deletes ann's account in the fake svc-users. */
function deleteAnn(texts: "keep" | "remove"): void {
  users.threads = users.threads.map((thread) => ({ ...thread, is_closed: true }));
  users.deletions.push({ user_id: "ann", texts, is_open: true });
}
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

it("keeps the texts if the user chose so", async () => {
  const { deletions, store, texts } = await start();
  await store(aMessage({ text: "for Bob" }));
  deleteAnn("keep");
  await deletions.run();
  expect(await texts("bob", "thread_id=ann-bob")).toEqual(["for Bob"]);
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
  const { deletions, store, texts } = await start();
  await store(aMessage({ text: "one" }));
  await store(toCyd("two"));
  deleteAnn("remove");
  const reads = jest.fn();
  users.beforeResponse = async () => {
    reads();
    if (reads.mock.calls.length === 1) throw new Error("the process ended here");
  };
  await expect(deletions.run()).rejects.toThrow();
  expect(users.deletions).toMatchObject([{ is_open: true }]);
  const restarted = await start();
  await restarted.deletions.run();
  expect(await texts("bob", "thread_id=ann-bob")).toEqual(["deleted"]);
  expect(await texts("cyd", "thread_id=ann-cyd")).toEqual(["deleted"]);
  expect(users.deletions).toMatchObject([{ is_open: false }]);
  const before = reads.mock.calls.length;
  await restarted.deletions.run();
  expect(reads.mock.calls.length).toBe(before);
});
