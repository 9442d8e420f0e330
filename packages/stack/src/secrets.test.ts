import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { silenceProgress } from "./command/progress.ts";
import { repoRoot } from "./command/root.ts";
import { startMongo } from "./dependencies/mongo.ts";
import { findNginx } from "./dependencies/programs.ts";
import { startRedis } from "./dependencies/redis.ts";
import { gatewayPart, renderGateway } from "./gateway.ts";
import { freePort } from "./ports.ts";
import type { Supervisor } from "./processes/supervisor.ts";
import { temporarySupervisor } from "./processes/temporarySupervisor.ts";
import { mediaDirOf, serviceParts } from "./services.ts";
import { StackFile } from "./stackFile.ts";

const root = repoRoot();
let dataDir: string;
let supervisor: Supervisor;
let stop: () => Promise<void>;
let secrets: string[];

beforeAll(async () => {
  silenceProgress();
  ({ dir: dataDir, supervisor, stop } = await temporarySupervisor("secrets"));
  const stackFile = new StackFile(dataDir);
  const portFor = (name: string) => stackFile.portFor(name);
  const [mongoUrls, redisUrl] = await Promise.all([
    startMongo({ supervisor, dataDir, portFor }),
    startRedis({ supervisor, dataDir, portFor }),
  ]);
  const context = { root, dataDir, mongoUrls, redisUrl, secret: stackFile.secret, raisesLimits: false, portFor };
  const services = await serviceParts(context, { users: 1, messages: 1, realtime: 1, media: 1 });
  const [port, dir] = [await freePort(), join(dataDir, "gateway")];
  await renderGateway(root, dir, { port, www: join(dataDir, "www"), mediaDir: mediaDirOf(dataDir), ...services });
  const parts = [...Object.values(services).flat(), gatewayPart(await findNginx(), dir, port)];
  await Promise.all(parts.map((part) => supervisor.start(part)));
  const key = (await readFile(join(dataDir, "secrets/mongod.key"), "utf8")).trim();
  const urls = [...Object.values(mongoUrls), redisUrl];
  secrets = [key, stackFile.secret, ...urls.map((url) => new URL(url.split(",")[0] as string).password)];
}, 120_000);
afterAll(() => stop());

it("shows no secret in the command line of any process", async () => {
  const processes = supervisor.processes();
  expect(processes.map(({ name }) => name).sort()).toEqual(
    ["gateway", "mongo", "redis", "svc-media", "svc-messages", "svc-realtime-1", "svc-users"].sort(),
  );
  expect(new Set(secrets).size).toBe(7);
  for (const { name, pid } of processes) {
    const shown = await readFile(`/proc/${pid}/cmdline`, "utf8");
    for (const secret of secrets) expect([name, shown]).toEqual([name, expect.not.stringContaining(secret)]);
  }
});

it("keeps secrets in files for their owner only, and out of the logs", async () => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const holders: string[] = [];
  for (const file of files) {
    const content = await readFile(file, "latin1");
    if (secrets.some((secret) => content.includes(secret))) holders.push(file);
  }
  const names = [
    "mongod.key",
    "operator.mongo-url",
    "redis-url",
    "redis.conf",
    "svc-media.mongo-url",
    "svc-messages.mongo-url",
  ];
  expect(holders.map((file) => file.slice(dataDir.length + 1)).sort()).toEqual(
    [...names, "svc-users.mongo-url"].map((name) => `secrets/${name}`).concat("stack.json"),
  );
  for (const file of [...holders, ...files.filter((name) => name.includes("/logs/"))]) {
    expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
  }
  expect((await stat(join(dataDir, "secrets"))).mode & 0o777).toBe(0o700);
});
