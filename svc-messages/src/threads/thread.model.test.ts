import { createPosition } from "@messageoh/service-kit/position";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { createInsert, createMessages, type Messages, messageKey } from "../messages/message.model.ts";
import { createStoreBatch } from "../storing/storeBatch.ts";
import { createThreads, type Threads } from "./thread.model.ts";

let messages: Messages;
let threads: Threads;
let drop: () => Promise<void>;
const LENGTHS = new Map([
  ["one", 1],
  ["three", 3],
  ["twelve", 12],
  ["long", 250],
]);

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
  threads = createThreads(messages);
  const insert = createInsert(database.connection);
  const storeBatch = createStoreBatch({ messages, insert, threads, position: createPosition("messages") });
  await storeBatch(
    [...LENGTHS].flatMap(([thread_id, length]) => Array.from({ length }, () => aMessage({ thread_id }))),
  );
});
afterAll(() => drop());

/** Returns the last number of each thread, which both queries must agree on. */
async function newest(...threadIds: string[]) {
  const found = [...(await threads.findNewest(threadIds))].map(([threadId, { seq }]) => [threadId, seq]);
  expect([...(await threads.findLastSeqs(threadIds))].sort()).toEqual(found.sort());
  return Object.fromEntries(found);
}

it("finds the newest message of many threads, and nothing for a thread without messages", async () => {
  expect(await newest(...LENGTHS.keys(), "nowhere")).toEqual(Object.fromEntries(LENGTHS));
  expect(await newest("nowhere")).toEqual({});
  expect(await newest()).toEqual({});
  expect([await threads.findLastSeq("three"), await threads.findLastSeq("nowhere")]).toEqual([3, 0]);
});

it("finds the newest message if earlier numbers are missing", async () => {
  await messages.deleteMany({ _id: { $in: [messageKey("twelve", 5), messageKey("twelve", 11)] } });
  await messages.deleteMany({ thread_id: "long", seq: { $gte: 2, $lt: 250 } });
  expect(await newest("twelve", "long")).toEqual({ twelve: 12, long: 250 });
});

it("reads one index key per thread, and no message, for the last numbers", async () => {
  const aggregate = jest.spyOn(messages, "aggregate");
  await newest("one", "three", "twelve");
  const pipelines = aggregate.mock.calls.map(([pipeline]) => pipeline);
  aggregate.mockRestore();
  const [forNewest, forLastSeqs] = await Promise.all(
    pipelines.map(async (pipeline) => JSON.stringify(await messages.aggregate(pipeline).explain())),
  );
  for (const explain of [forNewest, forLastSeqs]) {
    expect(explain).toContain('"stage":"DISTINCT_SCAN"');
    expect(explain).not.toContain('"stage":"IXSCAN"');
  }
  expect(forLastSeqs).not.toContain('"stage":"FETCH"');
});

it("reads one index key, and no message, for the last number of a thread, also without DISTINCT_SCAN", async () => {
  const findOne = jest.spyOn(messages, "findOne");
  expect(await threads.findLastSeq("twelve")).toBe(12);
  const [filter = {}, options] = findOne.mock.calls[0] ?? [];
  findOne.mockRestore();
  const { executionStats } = await messages.find(filter, { ...options, limit: 1 }).explain("executionStats");
  expect(executionStats).toMatchObject({ totalKeysExamined: 1, totalDocsExamined: 0 });
});

it("reads one index key per thread for the number of its latest change", async () => {
  const keys = Array.from({ length: 12 }, (_, index) => messageKey("twelve", index + 1));
  for (const [index, _id] of keys.entries()) await messages.updateOne({ _id }, { $set: { change: index + 1 } });
  const aggregate = jest.spyOn(messages, "aggregate");
  expect(await threads.findLastChanges(["twelve", "three"])).toEqual(new Map([["twelve", 12]]));
  const pipeline = aggregate.mock.calls[0]?.[0];
  aggregate.mockRestore();
  const explain = JSON.stringify(await messages.aggregate(pipeline).explain());
  expect(explain).toContain('"stage":"DISTINCT_SCAN"');
  expect(explain).toContain('"indexName":"thread_id_1_change_-1"');
});
