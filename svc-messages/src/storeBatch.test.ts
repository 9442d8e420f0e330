import type { NewMessage } from "@messageoh/contracts/messages";
import { openTestDatabase } from "@messageoh/service-kit/testing/engines";
import { createInsert, createMessages, type Insert, type Messages } from "./message.model.ts";
import { createStoreBatch } from "./storeBatch.ts";
import { createThreads, type Threads } from "./thread.model.ts";

const NOW = Date.parse("2026-01-05T10:00:00.000Z");
let messages: Messages;
let insert: Insert;
let threads: Threads;
let drop: () => Promise<void>;
let counter = 0;

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
  insert = createInsert(database.connection);
  threads = createThreads(database.connection, messages);
});
afterAll(() => drop());

/** A process of the service. */
function aProcess(now = () => NOW) {
  const storeBatch = createStoreBatch(messages, insert, threads, now);
  return async (batch: NewMessage[]) => (await storeBatch(batch)).map(({ row }) => row);
}
const aMessage = (parts: Partial<NewMessage> = {}): NewMessage => ({
  client_id: `client-${++counter}`,
  thread_id: "thread",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "r",
  origin: "",
  ...parts,
});
const many = (count: number, parts: Partial<NewMessage>) => Array.from({ length: count }, () => aMessage(parts));
const storedSeqs = async (thread_id: string) =>
  (await messages.find({ thread_id }).sort({ seq: 1 }).toArray()).map((row) => row.seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it("numbers the messages of each thread 1, 2, 3, ... in their order", async () => {
  const store = aProcess();
  const rows = await store([
    ...many(3, { thread_id: "a" }),
    ...many(2, { thread_id: "b" }),
    aMessage({ thread_id: "a" }),
  ]);
  expect(rows.map((row) => `${row.thread_id}${row.seq}`)).toEqual(["a1", "a2", "a3", "b1", "b2", "a4"]);
});

it("goes on where the thread ended, also in another process", async () => {
  await aProcess()(many(5, { thread_id: "c" }));
  const rows = await aProcess()(many(2, { thread_id: "c" }));
  expect(rows.map((row) => row.seq)).toEqual([6, 7]);
});

it("answers the stored message to one that is sent again, and stores it once", async () => {
  const store = aProcess();
  const batch = many(4, { thread_id: "d" });
  const first = await store(batch);
  const again = await store([...batch, aMessage({ thread_id: "d" })]);
  expect(again.slice(0, 4).map((row) => row._id)).toEqual(first.map((row) => row._id));
  expect(await storedSeqs("d")).toEqual(upTo(5));
});

it("stores a message once that is twice in one batch", async () => {
  const twice = aMessage({ thread_id: "e" });
  const rows = await aProcess()([twice, { ...twice }, aMessage({ thread_id: "e" })]);
  expect(rows.map((row) => row.seq)).toEqual([1, 1, 2]);
});

it("tells the same client id of two senders apart", async () => {
  const shared = { thread_id: "f", client_id: "same" };
  const rows = await aProcess()([
    aMessage({ ...shared, sending_user_id: "ann", recipient_user_id: "bob" }),
    aMessage({ ...shared, sending_user_id: "bob", recipient_user_id: "ann" }),
  ]);
  expect(rows.map((row) => row.seq)).toEqual([1, 2]);
});

it("leaves no gap and keeps each sender's order when several processes write into one thread at once", async () => {
  const processes = [aProcess(), aProcess(), aProcess()];
  await Promise.all(
    processes.map(async (store, index) => {
      for (let round = 0; round < 8; round += 1) {
        await store(many(5, { thread_id: "g", text: `${index}`, sending_user_id: `sender-${index}` }));
      }
    }),
  );
  expect(await storedSeqs("g")).toEqual(upTo(120));
  const rows = await messages.find({ thread_id: "g", sending_user_id: "sender-1" }).sort({ seq: 1 }).toArray();
  const order = rows.map((row) => Number(row.client_id.split("-")[1]));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

it("finds the end of threads whatever it knew of them before, also when several look at once", async () => {
  const ends = async () => {
    const [found] = await Promise.all([1, 2, 3].map(() => threads.find(["h", "i", "nowhere"])));
    return [...(found ?? [])].map(([thread_id, { seq }]) => `${thread_id}${seq}`).sort();
  };
  const store = aProcess();
  expect(await ends()).toEqual([]);
  await store(many(3, { thread_id: "h" }));
  expect(await ends()).toEqual(["h3"]);
  await store([...many(1, { thread_id: "h" }), ...many(12, { thread_id: "i" })]);
  expect(await ends()).toEqual(["h4", "i12"]);
  expect(await ends()).toEqual(["h4", "i12"]);
});

it("believes a client's time within a minute of its own, and never goes back in a thread", async () => {
  const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
  const rows = await aProcess()(
    [at(-59_000), at(-61_000), at(30_000), at(-10_000), "2031-01-01T00:00:00Z", undefined].map((timestamp) =>
      aMessage({ thread_id: "j", timestamp }),
    ),
  );
  expect(rows.map((row) => row.timestamp.getTime() - NOW)).toEqual([-59_000, 0, 30_000, 30_000, 30_000, 30_000]);
});
