import type { NewMessage } from "@messageoh/contracts/internal/messages";
import { createPosition } from "@messageoh/service-kit/position";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aMessage as aMessageToBob } from "../../testing/messages.ts";
import { createInsert, createMessages, type Insert, type Messages } from "../messages/message.model.ts";
import { createThreads, type Threads } from "../threads/thread.model.ts";
import { createStoreBatch, type StoreBatch } from "./storeBatch.ts";

const NOW = Date.parse("2026-01-05T10:00:00.000Z");
let messages: Messages;
let insert: Insert;
let threads: Threads;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
  insert = createInsert(database.connection);
  threads = createThreads(messages);
});
afterAll(() => drop());

interface ProcessOptions {
  now?: () => number;
  insert?: Insert;
}
const createBatchStore = (ownInsert: Insert = insert, now = Date.now) =>
  createStoreBatch({ messages, insert: ownInsert, threads, position: createPosition("messages") }, now);

/** Creates a process of the service: a function that stores a batch and returns its messages. */
function aProcess({ now = () => NOW, insert: ownInsert = insert }: ProcessOptions = {}) {
  const storeBatch = createBatchStore(ownInsert, now);
  return async (batch: NewMessage[]) => {
    const { results } = await storeBatch(batch);
    return batch.map((message) => {
      const result = results.get(message);
      if (!result || !("message" in result)) throw new Error("A message was not stored");
      return result.message;
    });
  };
}
/** Stores a batch as svc-realtime does, with retries. */
async function storeAll(store: StoreBatch, batch: NewMessage[]): Promise<void> {
  const { results } = await store(batch);
  const retried = batch.filter((message) => !results.has(message));
  if (retried.length > 0) await storeAll(store, retried);
}
/** Returns an insert function that counts its calls. */
function counted() {
  const counter = {
    count: 0,
    insert: ((rows) => {
      counter.count += 1;
      return insert(rows);
    }) as Insert,
  };
  return counter;
}
const aMessage = (parts: Partial<NewMessage> = {}) => aMessageToBob({ thread_id: "thread", ...parts });
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

it("stores nothing if no message is left, without a call", async () => {
  const counter = counted();
  expect((await createBatchStore(counter.insert)([])).results.size).toBe(0);
  expect(counter.count).toBe(0);
});

it("inserts the messages of each thread together, in their order", async () => {
  const inserted: string[] = [];
  const store = aProcess({
    insert: (rows) => {
      inserted.push(...rows.map(({ thread_id, text }) => `${thread_id} ${text}`));
      return insert(rows);
    },
  });
  const batch = ["q", "p", "q", "p"].map((thread_id, index) => aMessage({ thread_id, text: String(index) }));
  expect((await store(batch)).map(({ text }) => text)).toEqual(["0", "1", "2", "3"]);
  expect(inserted).toEqual(["p 1", "p 3", "q 0", "q 2"]);
});

it("continues the numbers of another process", async () => {
  await aProcess()(many(5, { thread_id: "c" }));
  const rows = await aProcess()(many(2, { thread_id: "c" }));
  expect(rows.map((row) => row.seq)).toEqual([6, 7]);
});

it("returns the stored message for a repeated one, and stores it once", async () => {
  const store = aProcess();
  const batch = many(4, { thread_id: "d" });
  const first = await store(batch);
  const again = await store([...batch, aMessage({ thread_id: "d" })]);
  expect(again.slice(0, 4)).toEqual(first);
  expect(await storedSeqs("d")).toEqual(upTo(5));
});

it("stores a message once if a batch contains it twice", async () => {
  const twice = aMessage({ thread_id: "e" });
  const rows = await aProcess()([twice, { ...twice }, aMessage({ thread_id: "e" })]);
  expect(rows.map((row) => row.seq)).toEqual([1, 1, 2]);
});

it("distinguishes the same client id from two senders", async () => {
  const shared = { thread_id: "f", client_id: "same" };
  const rows = await aProcess()([
    aMessage({ ...shared, sending_user_id: "ann", recipient_user_id: "bob" }),
    aMessage({ ...shared, sending_user_id: "bob", recipient_user_id: "ann" }),
  ]);
  expect(rows.map((row) => row.seq)).toEqual([1, 2]);
});

it("leaves no gap and keeps each sender's order while several processes write to one thread", async () => {
  const processes = [1, 2, 3].map(() => createBatchStore());
  await Promise.all(
    processes.map(async (store, index) => {
      for (let round = 0; round < 8; round += 1) {
        await storeAll(store, many(5, { thread_id: "g", sending_user_id: `sender-${index}` }));
      }
    }),
  );
  expect(await storedSeqs("g")).toEqual(upTo(120));
  const rows = await messages.find({ thread_id: "g", sending_user_id: "sender-1" }).sort({ seq: 1 }).toArray();
  const order = rows.map((row) => Number(row.client_id.split("-")[1]));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

it("needs two inserts for a batch of 256 threads to which another process wrote", async () => {
  const batch = () => Array.from({ length: 256 }, (_, index) => aMessage({ thread_id: `moved-${index}` }));
  const inserts = counted();
  const store = aProcess(inserts);
  await store(batch());
  await aProcess()(batch());
  inserts.count = 0;
  const rows = await store(batch());
  expect(inserts.count).toBe(2);
  expect(new Set(rows.map(({ seq }) => seq))).toEqual(new Set([3]));
});

it("keeps the cached tails of a batch while it loads the missing ones", async () => {
  const inserts = counted();
  const deps = { messages, insert: inserts.insert, threads, position: createPosition("messages") };
  const store = createStoreBatch(deps, () => NOW, 3);
  for (const thread_id of ["tail-a", "tail-b", "tail-c"]) await store([aMessage({ thread_id })]);
  inserts.count = 0;
  await store(["tail-a", "tail-d", "tail-e"].map((thread_id) => aMessage({ thread_id })));
  expect(inserts.count).toBe(1);
  expect(await storedSeqs("tail-a")).toEqual([1, 2]);
});

it("needs one insert per batch if no other process writes to its threads", async () => {
  const inserts = counted();
  const store = aProcess(inserts);
  for (const round of [1, 2, 3]) {
    await store(many(4, { thread_id: "own" }));
    expect(inserts.count).toBe(round);
  }
});

it("drops the cached tails of a batch after an error, and recognises the messages that it stored", async () => {
  let error: Error | undefined;
  let inserts = 0;
  const store = aProcess({
    insert: async (rows) => {
      inserts += 1;
      const done = await insert(rows);
      if (error) throw error;
      return done;
    },
  });
  await store([aMessage({ thread_id: "k" }), aMessage({ thread_id: "l" })]);
  const batch = [...many(2, { thread_id: "k" }), aMessage({ thread_id: "l" })];
  error = new Error("connection lost");
  await expect(store(batch)).rejects.toThrow("connection lost");
  error = undefined;
  await aProcess()(many(3, { thread_id: "l" }));
  inserts = 0;
  // A cached tail would collide with messages of the failed insert and of the other process.
  const next = [aMessage({ thread_id: "k" }), aMessage({ thread_id: "l" })];
  expect((await store(next)).map(({ seq }) => seq)).toEqual([4, 6]);
  expect(inserts).toBe(1);
  expect((await store(batch)).map(({ seq }) => seq)).toEqual([2, 3, 2]);
  expect(await storedSeqs("l")).toEqual(upTo(6));
});

it("recognises repeats of many senders among new messages", async () => {
  const store = aProcess();
  const of = (sender: number) =>
    aMessage({ thread_id: `m-${sender}`, sending_user_id: `sender-${sender}`, client_id: `own-${sender}` });
  const senders = Array.from({ length: 100 }, (_, index) => index);
  const first = await store(senders.map(of));
  const storeBatch = createBatchStore(insert, () => NOW);
  const repeated = senders.map(of);
  const fresh = senders.map((sender) => aMessage({ thread_id: `m-${sender}` }));
  const { results } = await storeBatch(senders.flatMap((sender) => [repeated[sender], fresh[sender]] as NewMessage[]));
  expect(repeated.map((message) => results.get(message))).toEqual(
    first.map((message) => ({ message, is_repeat: true })),
  );
  for (const message of fresh) {
    const result = results.get(message);
    expect(result).toMatchObject({ message: { seq: 2 } });
    expect(result).not.toHaveProperty("is_repeat");
  }
});

it("returns no result for messages whose numbers other processes keep taking, and stores them later", async () => {
  const other = aProcess();
  let isContended = true;
  const storeBatch = createBatchStore(async (rows) => {
    if (isContended) await other([aMessage({ thread_id: "n" })]);
    return insert(rows);
  });
  const batch = [aMessage({ thread_id: "free" }), ...many(2, { thread_id: "n" })];
  const resultsOf = async () => {
    const { results } = await storeBatch(batch);
    return batch.map((message) => results.get(message));
  };
  expect(await resultsOf()).toMatchObject([{ message: { seq: 1 } }, undefined, undefined]);
  isContended = false;
  const before = (await storedSeqs("n")).length;
  const [free, ...later] = await resultsOf();
  expect(free).toMatchObject({ message: { seq: 1 }, is_repeat: true });
  expect(later).toMatchObject([{ message: { seq: before + 1 } }, { message: { seq: before + 2 } }]);
  for (const result of later) expect(result).not.toHaveProperty("is_repeat");
});

it("accepts a client's time within a minute of its own, and never goes back in a thread", async () => {
  const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
  const rows = await aProcess()(
    [at(-59_000), at(-61_000), at(30_000), at(-10_000), "2031-01-01T00:00:00Z", undefined].map((timestamp) =>
      aMessage({ thread_id: "j", timestamp }),
    ),
  );
  expect(rows.map((row) => Date.parse(row.timestamp) - NOW)).toEqual([-59_000, 0, 30_000, 30_000, 30_000, 30_000]);
});
