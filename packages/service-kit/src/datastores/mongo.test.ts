import { type Connection, Schema } from "mongoose";
import { openTestDatabase, silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { createHttpApp } from "../http/httpApp.ts";
import { checkMongo, createIndexes, nativeCollection, QUERY_MAX_MS } from "./mongo.ts";

interface Row {
  _id: number;
  a?: number;
}
/** Commands that read or write documents. */
const COMMANDS = ["find", "aggregate", "count", "distinct", "insert", "update", "delete", "findAndModify"];

let connection: Connection;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ connection, drop } = await openTestDatabase({ monitorCommands: true }));
});
afterAll(() => drop());

/** Returns the commands on a collection that are sent during `work`, each with its time limit. */
async function maxTimesOf(
  collection: string,
  work: () => Promise<unknown>,
): Promise<[command: string, maxTimeMS: unknown][]> {
  const sent: [string, unknown][] = [];
  const record = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
    if (COMMANDS.includes(commandName) && command[commandName] === collection)
      sent.push([commandName, command.maxTimeMS]);
  };
  connection.getClient().on("commandStarted", record);
  await work();
  connection.getClient().off("commandStarted", record);
  return sent;
}

it("limits the time of every query of a model and of a native collection", async () => {
  const model = connection.model("Row", new Schema<Row>({ _id: Number, a: Number }), "rows");
  const rows = nativeCollection<Row>(connection, "rows");
  const sent = await maxTimesOf("rows", async () => {
    await model.find().lean();
    await model.findOne().lean();
    await model.findById(1).lean();
    await model.exists({ _id: 1 });
    await model.countDocuments();
    await model.updateOne({ _id: 1 }, { $set: { a: 1 } });
    await model.findOneAndUpdate({ _id: 1 }, { $set: { a: 1 } });
    await model.findByIdAndUpdate(1, { $set: { a: 1 } });
    await rows.find({}).toArray();
    await rows.findOne({});
    await rows.countDocuments({});
    await rows.aggregate([{ $match: { _id: 1 } }]).toArray();
    await rows.bulkWrite([{ updateOne: { filter: { _id: 1 }, update: { $set: { _id: 1 } }, upsert: true } }]);
    await rows.insertOne({ _id: 2 });
    await rows.updateOne({ _id: 2 }, { $set: { a: 1 } });
    await rows.updateMany({ _id: 2 }, { $set: { a: 1 } });
    await rows.findOneAndUpdate({ _id: 2 }, { $set: { a: 1 } });
    await rows.deleteOne({ _id: 2 });
    await rows.deleteMany({ _id: 2 });
  });
  expect(sent).toHaveLength(19);
  expect(sent.filter(([, maxTimeMS]) => maxTimeMS !== QUERY_MAX_MS)).toEqual([]);
  // The connection checks its primary by itself, maybe now.
  const checks = await maxTimesOf("checks", () => checkMongo(connection));
  expect(new Set(checks.map(([, maxTimeMS]) => maxTimeMS))).toEqual(new Set([QUERY_MAX_MS]));
});

it("creates an index that takes longer than a connection may be silent", async () => {
  const impatient = await openTestDatabase({ dbName: connection.name, socketTimeoutMS: 10 });
  await connection.collection("large").insertMany(Array.from({ length: 50_000 }, (_, a) => ({ a, b: `${a}` })));
  const modelOf = (key: string) =>
    impatient.connection.model(key, new Schema({ a: Number, b: String }).index({ [key]: 1 }), "large");
  await expect(modelOf("a").createIndexes()).rejects.toThrow("timed out");
  await createIndexes(modelOf("b"));
  expect((await connection.collection("large").indexes()).map(({ name }) => name)).toContain("b_1");
  await impatient.connection.close();
});

it("waits at most 4 s for a free connection, and for a response longer than the limit of a query", () => {
  const { waitQueueTimeoutMS, serverSelectionTimeoutMS, socketTimeoutMS } = connection.getClient().options;
  expect([waitQueueTimeoutMS, serverSelectionTimeoutMS]).toEqual([4_000, 4_000]);
  expect(socketTimeoutMS).toBeGreaterThan(QUERY_MAX_MS);
});

it("responds 503 to a query that takes too long, and serves others meanwhile", async () => {
  const rows = nativeCollection<Row>(connection, "many");
  await rows.insertMany(Array.from({ length: 3_000 }, (_, index) => ({ _id: index })));
  // Joins every document with every document, twice, which takes much longer than the limit.
  const join = { $lookup: { from: "many", pipeline: [{ $match: { $expr: { $ne: ["$a", "$_id"] } } }], as: "all" } };
  const slow = () => rows.aggregate([join, { $unwind: "$all" }, join, { $count: "n" }], { maxTimeMS: 200 }).toArray();
  const { app, router } = createHttpApp({ logger: silentLogger, isReady: () => true });
  router.get("/slow", async (ctx) => {
    ctx.body = await slow();
  });
  router.get("/quick", async (ctx) => {
    ctx.body = await rows.findOne({ _id: 7 });
  });
  const service = await serveForTest(app.callback());
  const waiting = service.call("/slow");
  expect(await service.call("/quick")).toMatchObject({ status: 200, body: { _id: 7 } });
  expect(await waiting).toMatchObject({ status: 503, body: { error: "This took too long, please try again" } });
  await service.close();
});
