import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { createMessages, type Messages, messageKey } from "../messages/message.model.ts";
import { createUnreadCounts } from "./unreadCounts.ts";

let messages: Messages;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
});
afterAll(() => drop());

/** Stores messages of a thread, from `first`, each to one of the users whose names begin with these letters. */
async function store(thread_id: string, first: number, recipients: string): Promise<void> {
  const rows = [...recipients].map((letter, index) => ({
    ...{ _id: messageKey(thread_id, first + index), thread_id, seq: first + index, timestamp: new Date(0), text: "x" },
    ...{ id: `${thread_id}${first + index}`, client_id: `${thread_id}${first + index}` },
    ...{ sending_user_id: letter === "a" ? "bob" : "ann", recipient_user_id: letter === "a" ? "ann" : "bob" },
  }));
  await messages.insertMany(rows);
}

/** Creates the counts for ann, and a record of the number of messages that each query read. */
function watchCounts() {
  const reads: number[] = [];
  const numberOf = (key: string) => Number(key.split(":")[1]);
  const watched: Messages = new Proxy(messages, {
    get(target, name) {
      const method = Reflect.get(target, name).bind(target);
      if (name !== "aggregate") return method;
      return (pipeline: [{ $match: { $or: { _id: { $gte: string; $lte: string } }[] } }]) => {
        const ranges = pipeline[0].$match.$or.map(({ _id }) => numberOf(_id.$lte) - numberOf(_id.$gte) + 1);
        reads.push(ranges.reduce((sum, range) => sum + range));
        return method(pipeline);
      };
    },
  });
  return { counts: createUnreadCounts(watched), reads };
}

/** Creates the count of one thread for ann, and a record of the messages that were read. */
function setUp(thread_id: string) {
  const { counts, reads } = watchCounts();
  return async (read_seq: number, last_seq: number) => {
    reads.length = 0;
    const [count] = await counts([{ thread_id, user_id: "ann", read_seq, last_seq }], async () => {});
    return { count, reads: [...reads] };
  };
}

it("reads a monologue once, in parts, and then only what is newer or was read meanwhile", async () => {
  await store("monologue", 1, `aaa${"b".repeat(4_997)}`);
  const unread = setUp("monologue");
  expect(await unread(0, 5_000)).toEqual({ count: 3, reads: [2_000, 2_000, 1_000] });
  expect(await unread(0, 5_000)).toEqual({ count: 3, reads: [] });
  await store("monologue", 5_001, "ba");
  expect(await unread(0, 5_002)).toEqual({ count: 4, reads: [2] });
  expect(await unread(2, 5_002)).toEqual({ count: 2, reads: [2] });
  expect(await unread(5_002, 5_002)).toEqual({ count: 0, reads: [] });
});

it("stops at 1,000, and continues when some of them were read", async () => {
  await store("many", 1, "ab".repeat(4_000));
  const unread = setUp("many");
  expect(await unread(0, 8_000)).toEqual({ count: 1_000, reads: [2_000] });
  expect(await unread(100, 8_000)).toEqual({ count: 1_000, reads: [100, 2_000] });
  expect(await unread(7_000, 8_000)).toEqual({ count: 500, reads: [1_000] });
});

it("counts again after a missing number, which may appear later", async () => {
  await store("gap", 1, "aa");
  await store("gap", 4, "a");
  const unread = setUp("gap");
  expect(await unread(0, 4)).toEqual({ count: 3, reads: [4] });
  await store("gap", 3, "a");
  expect(await unread(0, 4)).toEqual({ count: 4, reads: [4] });
});

it("counts up to an older number than before", async () => {
  await store("older", 1, "aaaa");
  const unread = setUp("older");
  expect([(await unread(0, 4)).count, (await unread(0, 2)).count, (await unread(1, 4)).count]).toEqual([4, 2, 3]);
});

it("counts many threads with few queries, and a long one beside them in parts", async () => {
  const thread = (index: number) => `crowd${String(index).padStart(3, "0")}`;
  for (let index = 0; index < 250; index += 1) await store(thread(index), 1, index % 2 ? "aab" : "bbb");
  await store("crowd-long", 1, "ab".repeat(1_500));
  const { counts, reads } = watchCounts();
  const unread = (thread_id: string, last_seq: number) => ({ thread_id, user_id: "ann", read_seq: 0, last_seq });
  const crowd = Array.from({ length: 250 }, (_, index) => unread(thread(index), 3));
  const found = await counts([...crowd.slice(0, 50), unread("crowd-long", 3_000), ...crowd.slice(50)], async () => {});
  expect(found.splice(50, 1)).toEqual([1_000]);
  expect(found).toEqual(crowd.map((_, index) => (index % 2 ? 2 : 0)));
  expect(reads).toEqual([2_000, 1_447, 300, 3]);
});
