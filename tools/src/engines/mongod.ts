import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MongoBinary } from "mongodb-memory-server-core/lib/util/MongoBinary.js";
import { cacheDir, rememberedFailure, rememberFailure } from "../cache.ts";
import { STAGE } from "../processes/part.ts";
import { findProgram } from "../run.ts";
import { say } from "../say.ts";
import type { Engine, EngineContext } from "./engine.ts";
import { mongoAnswers } from "./mongoPing.ts";

const VERSION = "8.0.15";
const FAILURE = "mongod-download";

/** A real mongod: from PATH, else downloaded once; undefined where neither is to be had. */
export async function findMongod(): Promise<string | undefined> {
  const found = findProgram("mongod");
  if (found) {
    say(`MongoDB: ${found}`);
    return found;
  }
  if (await rememberedFailure(FAILURE)) return undefined;
  say(`MongoDB: looking for a download of mongod ${VERSION} ...`);
  try {
    const file = await MongoBinary.getPath({
      version: VERSION,
      downloadDir: join(cacheDir(), "mongod"),
      checkMD5: true,
    });
    say(`MongoDB: mongod ${VERSION}, downloaded to ${file}`);
    return file;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    say(`MongoDB: mongod cannot be downloaded here (${reason})`);
    await rememberFailure(FAILURE, String(reason));
    return undefined;
  }
}

/** Whether this data folder was filled by a mongod. */
export function hasMongodData(dataDir: string): boolean {
  return existsSync(join(dataDir, "mongod", "WiredTiger"));
}

/** Starts mongod on its data folder. */
export async function startMongod(command: string, context: EngineContext): Promise<Engine> {
  const port = await context.portFor("mongo");
  const dbpath = join(context.dataDir, "mongod");
  await mkdir(dbpath, { recursive: true });
  await context.supervisor.start({
    name: "mongo",
    command,
    args: [
      ...["--dbpath", dbpath, "--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
      ...["--wiredTigerCacheSizeGB", "0.5"],
    ],
    port,
    stage: STAGE.storage,
    graceMs: 20_000,
    ready: () => mongoAnswers(port),
  });
  return { url: `mongodb://127.0.0.1:${port}`, processes: ["mongo"] };
}
