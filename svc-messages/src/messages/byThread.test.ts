import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { byThread } from "./byThread.ts";
import { createMessages, keysBetween, type Messages } from "./message.model.ts";

let messages: Messages;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = byThread(await createMessages(database.connection));
});
afterAll(() => drop());

it.each([
  ["a thread", { thread_id: "a" }],
  ["several threads", { thread_id: { $in: ["a", "b"] } }],
  ["a key", { _id: "a:1" }],
  ["a range of keys", keysBetween("a", 1, 2)],
  ["a thread in each alternative", { $or: [{ thread_id: "a" }, { _id: "b:1", text: "x" }] }],
])("runs a query that names %s", async (_, filter) => {
  expect(await messages.find(filter).toArray()).toEqual([]);
  expect(await messages.aggregate([{ $match: filter }]).toArray()).toEqual([]);
  expect((await messages.deleteMany(filter)).deletedCount).toBe(0);
});

it.each([
  ["nothing", {}],
  ["a user", { sending_user_id: "ann" }],
  ["an open range of keys", { _id: { $gte: "a:1" } }],
  ["other threads", { thread_id: { $ne: "a" } }],
  ["a thread in one alternative only", { $or: [{ thread_id: "a" }, { text: "x" }] }],
])("rejects a query that names %s", (_, filter) => {
  expect(() => messages.find(filter)).toThrow("names no thread");
  expect(() => messages.findOne(filter)).toThrow("names no thread");
  expect(() => messages.countDocuments(filter)).toThrow("names no thread");
  expect(() => messages.aggregate([{ $match: filter }])).toThrow("names no thread");
  expect(() => messages.updateMany(filter, { $set: { text: "" } })).toThrow("names no thread");
  expect(() => messages.deleteMany(filter)).toThrow("names no thread");
  expect(() => messages.updateOne(filter, { $set: { text: "" } })).toThrow("names no thread");
  expect(() => messages.findOneAndUpdate(filter, { $set: { text: "" } })).toThrow("names no thread");
  expect(() => messages.deleteOne(filter)).toThrow("names no thread");
  expect(() => messages.bulkWrite([{ updateOne: { filter, update: { $set: { text: "" } } } }])).toThrow(
    "names no thread",
  );
});

it("rejects an aggregation that does not begin with a filter", () => {
  expect(() => messages.aggregate([{ $sort: { id: 1 } }])).toThrow("names no thread");
});
