import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import type { Connection } from "mongoose";
import { byThread } from "./byThread.ts";
import { createMessages, keysBetween, type Messages } from "./message.model.ts";

let messages: Messages;
let connection: Connection;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ connection, drop } = await openTestDatabase({ monitorCommands: true }));
  messages = byThread(await createMessages(connection));
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
  ["a range of keys over several threads", { _id: { $gte: "a:1", $lte: "b:1" } }],
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
});

it("rejects an aggregation that does not begin with a filter", () => {
  expect(() => messages.aggregate([{ $sort: { id: 1 } }])).toThrow("names no thread");
});

const update = { $set: { text: "x" } };
const filters = (thread_id: unknown, _id: unknown) => ({ thread_id, _id });

it.each([
  ["find", () => messages.find({ _id: "a:1" }).toArray(), filters("a", "a:1")],
  ["findOne", () => messages.findOne({ _id: "a:1" }, { projection: { id: 1 } }), filters("a", "a:1")],
  ["aggregate", () => messages.aggregate([{ $match: { _id: "a:1" } }]).toArray(), filters("a", "a:1")],
  ["updateOne", () => messages.updateOne({ _id: "a:1" }, update), filters("a", "a:1")],
  ["updateMany", () => messages.updateMany({ _id: "a:1" }, update), filters("a", "a:1")],
  ["findOneAndUpdate", () => messages.findOneAndUpdate({ _id: "a:1" }, update), filters("a", "a:1")],
  ["deleteOne", () => messages.deleteOne({ _id: "a:1" }), filters("a", "a:1")],
  [
    "a list of keys",
    () => messages.find({ _id: { $in: ["a:1", "b:1", "a:2"] } }).toArray(),
    filters({ $in: ["a", "b"] }, { $in: ["a:1", "b:1", "a:2"] }),
  ],
  [
    "an open beginning",
    () => messages.find({ _id: { $gt: "a:1", $lte: "a:9" } }).toArray(),
    filters("a", { $gt: "a:1", $lte: "a:9" }),
  ],
  [
    "alternatives that all name keys",
    () => messages.find({ $or: [{ _id: "a:1" }, { _id: "b:1" }] }).toArray(),
    { $or: [filters("a", "a:1"), filters("b", "b:1")] },
  ],
])("names the thread of a key in %s, and uses the index on keys", async (_, work, filter) => {
  const sent: object[] = [];
  const record = ({ command }: { command: object }) => sent.push(command);
  connection.getClient().on("commandStarted", record);
  await work();
  connection.getClient().off("commandStarted", record);
  const [{ filter: q, query = q, pipeline, updates, deletes, hint }] = sent as [Record<string, never>];
  const [part = { q: query, hint }] = (updates ?? deletes ?? []) as { q: object; hint: object }[];
  expect(pipeline ? (pipeline as { $match: object }[])[0]?.$match : part.q).toEqual(filter);
  expect(part.hint).toEqual({ _id: 1 });
});

it("has unique indexes that begin with the thread, so that the collection can be sharded by it", async () => {
  const indexes = await messages.indexes();
  const unique = indexes.filter(({ unique }) => unique);
  expect(unique.map(({ key }) => Object.keys(key)[0])).toEqual(unique.map(() => "thread_id"));
  expect(unique.length).toBeGreaterThan(1);
});
