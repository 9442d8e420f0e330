import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { look } from "./look.ts";
import { withRates } from "./rates.ts";
import { table } from "./table.ts";

let dataDir: string;
const servers: Server[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "messageoh-status-"));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  await rm(dataDir, { recursive: true });
});

/** A part that answers each path with a status and a text. */
async function aPart(answer: (path: string) => [status: number, text?: string]): Promise<number> {
  const server = createServer(({ url = "" }, response) => {
    const [status, text = ""] = answer(url);
    response.writeHead(status).end(text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
/** A service that is ready or not, with these metrics. */
const aService = (isReady: boolean, metrics: () => string) =>
  aPart((path) => (path === "/metrics" ? [200, metrics()] : [path === "/readyz" && !isReady ? 503 : 200]));
const run = (parts: object[]) => writeFile(join(dataDir, "processes.json"), JSON.stringify(parts));

it("tells of each part whether it is well, what it holds and how fast it goes", async () => {
  let sent = 10;
  const realtime = await aService(
    true,
    () => `messageoh_realtime_sockets{transport="polling"} 1
messageoh_realtime_sockets{transport="websocket"} 4
messageoh_realtime_sends_total ${sent}
messageoh_realtime_deliveries_total ${2 * sent}
messageoh_batcher_waiting_items{batcher="send"} 3
`,
  );
  const messages = await aService(false, () => "messageoh_messages_stored_total 7\n");
  const { pid } = process;
  await run([
    { name: "svc-realtime-1", pid, port: realtime },
    { name: "svc-messages", pid, port: messages },
    { name: "svc-users", pid, port: 1 },
    { name: "gateway", pid, port: await aPart(() => [503]) },
    { name: "redis", pid, port: 1 },
    { name: "mongod", pid: 2 ** 22 + 1, port: 1 },
  ]);
  const before = await look(dataDir);
  sent = 30;
  const rows = withRates(before, await look(dataDir), 2);
  expect(rows.map(({ name, health }) => [name, health])).toEqual([
    ["svc-realtime-1", "ready"],
    ["svc-messages", "not ready"],
    ["svc-users", "silent"],
    ["gateway", "not ready"],
    ["redis", "running"],
    ["mongod", "silent"],
  ]);
  expect(rows[0]).toMatchObject({ sockets: 5, websockets: 4, inPerSecond: 10, outPerSecond: 20, waiting: 3 });
  expect(rows[1]).toMatchObject({ sockets: null, inPerSecond: 0, outPerSecond: null });
  const text = table(rows, false);
  expect(text).toMatch(/^svc-realtime-1 +\d+ +\d+ +ready +5 \(4 ws\) +10 +20 +3\b/m);
  expect(text).toMatch(/^6 parts +4 unwell +5 +10 +20 +3\b/m);
});

it("gives no rate for a part that was restarted meanwhile", async () => {
  const port = await aService(true, () => "messageoh_realtime_sends_total 5\n");
  await run([{ name: "svc-realtime-1", pid: 1, port }]);
  const before = await look(dataDir);
  await run([{ name: "svc-realtime-1", pid: 2, port }]);
  expect(withRates(before, await look(dataDir), 1)[0]?.inPerSecond).toBeNull();
});

it("says so where nothing runs", async () => {
  await expect(look(dataDir)).rejects.toThrow("Nothing runs in");
  await run([]);
  await expect(look(dataDir)).rejects.toThrow("Nothing runs in");
});

it.each([
  [200, "ready"],
  [503, "not ready"],
  [400, "running"],
])("takes a gateway that answers %i for %s", async (status, health) => {
  await run([{ name: "gateway", pid: 1, port: await aPart(() => [status]) }]);
  expect((await look(dataDir))[0]?.health).toBe(health);
});
