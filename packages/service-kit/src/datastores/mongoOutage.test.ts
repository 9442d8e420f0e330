import { connect, createServer, type Socket } from "node:net";
import mongoose, { type Connection } from "mongoose";
import { datastoreUrl, openTestDatabase, silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { until } from "../../testing/until.ts";
import { toHttpError } from "../http/errors.ts";
import { createHttpApp } from "../http/httpApp.ts";
import { createLogger } from "../telemetry/logger.ts";
import { connectMongo, nativeCollection } from "./mongo.ts";

/**
 * Starts a proxy to the MongoDB server of the tests. `cut` closes its connections and accepts no others, `stall` reads
 * no more from them.
 */
async function startProxy() {
  const target = new URL(datastoreUrl("MONGO"));
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {}).on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  url.search = "?directConnection=true";
  return {
    url: url.href,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

let connection: Connection;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  proxy = await startProxy();
  connection = await connectMongo(proxy.url, database.connection.name, silentLogger);
});
afterAll(async () => {
  await connection.close();
  await drop();
});

it("responds 503 to every call that needs the database while it is down, never 500", async () => {
  const rows = nativeCollection<{ _id: number }>(connection, "rows");
  const { app, router } = createHttpApp({ logger: silentLogger, isReady: () => true });
  let count = 0;
  router.get("/read", async (ctx) => {
    ctx.body = { row: await rows.findOne({}) };
  });
  router.get("/write", async (ctx) => {
    count += 1;
    ctx.body = await rows.insertOne({ _id: count });
  });
  const service = await serveForTest(app.callback());
  /** Calls until the first failure, and once more. */
  async function failuresOf(path: string): Promise<number[]> {
    for (;;) {
      const { status } = await service.call(path);
      if (status !== 200) return [status, (await service.call(path)).status];
    }
  }
  const failures = Array.from({ length: 20 }, (_, index) => failuresOf(index % 2 ? "/read" : "/write"));
  setTimeout(proxy.cut, 100);
  expect(new Set((await Promise.all(failures)).flat())).toEqual(new Set([503]));
  await service.close();
});

it("ends a command whose connection times out while the command is written", async () => {
  const other = await startProxy();
  const stalled = await connectMongo(other.url, "stalled", silentLogger, {
    socketTimeoutMS: 300,
    serverSelectionTimeoutMS: 300,
  });
  const rows = nativeCollection(stalled, "rows");
  await rows.insertOne({});
  other.stall();
  await expect(rows.insertOne({ large: "x".repeat(15_000_000) })).rejects.toThrow("timed out");
  other.cut();
  await stalled.close();
});

it.each([
  [10107, "a primary that stepped down"],
  [11600, "a server that shuts down"],
])("responds 503 to error %i, of %s", (code) => {
  expect(toHttpError(new mongoose.mongo.MongoServerError({ message: "not primary", code })).status).toBe(503);
});

it("responds 500 to an error that a retry would repeat", () => {
  expect(toHttpError(new mongoose.mongo.MongoServerError({ message: "duplicate", code: 11000 })).status).toBe(500);
});

it("logs a connection that is lost, but not one that the service closes", async () => {
  const lines: string[] = [];
  const logger = createLogger("test", "warn", { write: (line) => void lines.push(JSON.parse(line).msg) });
  const other = await startProxy();
  const closed = await connectMongo(other.url, "closed", logger);
  await closed.close();
  const atClose = [...lines];
  const lost = await connectMongo(other.url, "lost", logger);
  other.cut();
  await until(() => lines.includes("database connection lost"));
  await lost.close();
  expect([atClose, lines]).toEqual([[], ["database connection lost"]]);
});
