import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { formatError } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { StackMemory } from "../memory.ts";
import { Supervisor } from "../processes/supervisor.ts";
import { startMongo } from "./mongo.ts";
import { startRedis } from "./redis.ts";

// node packages/stack/src/dependencies/main.ts runs MongoDB and Redis until SIGTERM or Ctrl-C.
const dataDir = resolve(process.env.DATA_DIR || join(repoRoot(), ".data/datastores"));
await mkdir(dataDir, { recursive: true, mode: 0o700 });
const supervisor = new Supervisor(dataDir);
const end = (code: number): void => {
  void supervisor.stop().then(() => process.exit(code));
};
process.on("SIGINT", () => end(0));
process.on("SIGTERM", () => end(0));
try {
  const memory = new StackMemory(dataDir);
  const context = { supervisor, dataDir, portFor: (name: string) => memory.portFor(name) };
  await Promise.all([startMongo(context), startRedis(context)]);
  const secrets = join(dataDir, "secrets");
  process.stdout.write(`MONGO_URL_FILE=${secrets}/operator.mongo-url\nREDIS_URL_FILE=${secrets}/redis-url\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  end(1);
}
