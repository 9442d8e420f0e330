import { mkdtemp, rm } from "node:fs/promises";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { silenceProgress } from "../command/progress.ts";
import { freePort, until } from "../ports.ts";
import { Supervisor } from "../processes/supervisor.ts";
import { startMongo } from "./mongo.ts";

const WRITE_CONCERN = { w: "majority", j: true } as const;
let dataDir: string;
let supervisor: Supervisor;

beforeEach(async () => {
  silenceProgress();
  dataDir = await mkdtemp(join(tmpdir(), "messageoh-mongo-"));
  supervisor = new Supervisor(dataDir);
});
afterEach(async () => {
  await supervisor.stop();
  await rm(dataDir, { recursive: true });
});

const start = (members?: 1 | 3) => startMongo({ supervisor, dataDir, portFor: () => freePort() }, members);

async function withItems<T>(url: string, work: (items: ReturnType<typeof itemsOf>) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { runtimeAdapters: { os }, writeConcern: WRITE_CONCERN });
  try {
    return await work(itemsOf(client));
  } finally {
    await client.close();
  }
}

async function restart(members?: 1 | 3) {
  await supervisor.stop();
  supervisor = new Supervisor(dataDir);
  return start(members);
}
const itemsOf = (client: MongoClient) => client.db("test").collection<{ n: number }>("items");

it("keeps the data of one member on other ports, then with three members", async () => {
  const { operator } = await start();
  await withItems(operator, (items) => items.insertOne({ n: 1 }));
  for (const members of [1, 3] as const) {
    const moved = (await restart(members)).operator;
    expect(moved).not.toBe(operator);
    await withItems(moved, async (items) => {
      expect(await items.countDocuments()).toBe(1);
      const { config } = await items.db.admin().command({ replSetGetConfig: 1 });
      expect(config.members).toHaveLength(members);
    });
  }
}, 60_000);

it("requires a password, and lets each service into its own database only", async () => {
  const urls = await start();
  const read = (url: string, database: string) =>
    withItems(url, (items) =>
      items.db.client
        .db(database)
        .collection("x")
        .countDocuments()
        .catch(({ codeName }) => codeName),
    );
  const anonymous = urls.operator.replace(/\/\/.*@/, "//").replace(/&authSource.*/, "");
  for (const database of ["users", "messages", "admin", "local"]) {
    expect([database, await read(anonymous, database)]).toEqual([database, "Unauthorized"]);
  }
  expect(await read(urls["svc-users"], "users")).toBe(0);
  expect(await read(urls["svc-users"], "messages")).toBe("Unauthorized");
  expect(await read(urls["svc-messages"], "messages")).toBe(0);
  expect(await read(urls["svc-messages"], "users")).toBe("Unauthorized");
  expect(await read(urls["svc-media"], "media")).toBe(0);
  expect(await read(urls["svc-media"], "messages")).toBe("Unauthorized");
  const wrong = urls.operator.replace(/:[^:@]+@/, ":wrong@");
  await expect(read(wrong, "users")).resolves.toBe("AuthenticationFailed");
});

it("sets new passwords if the key is gone", async () => {
  const { operator } = await start();
  await withItems(operator, (items) => items.insertOne({ n: 1 }));
  await rm(join(dataDir, "secrets"), { recursive: true });
  const urls = await restart();
  expect(new URL(urls.operator).password).not.toBe(new URL(operator).password);
  await withItems(urls.operator, async (items) => expect(await items.countDocuments()).toBe(1));
});

it("elects another primary when the primary of three members is killed, and keeps every write", async () => {
  const { operator } = await start(3);
  expect(supervisor.processes().map(({ name }) => name)).toEqual(["mongo", "mongo-2", "mongo-3"]);
  await withItems(operator, async (items) => {
    await items.insertOne({ n: 1 });
    const { me } = await items.db.admin().command({ hello: 1 });
    const primary = supervisor.processes().find(({ port }) => String(me).endsWith(`:${port}`));
    process.kill(primary?.pid ?? 0, "SIGKILL");
    // The driver retries a write once, but the election and the restarted member may each fail an attempt.
    const write = () => items.updateOne({ n: 2 }, { $set: { n: 2 } }, { upsert: true });
    const isDone = (work: () => Promise<unknown>) => until(() => work().then(Boolean, () => false), 20_000);
    expect(await isDone(write)).toBe(true);
    expect(await isDone(async () => (await items.countDocuments()) === 2)).toBe(true);
  });
}, 60_000);
