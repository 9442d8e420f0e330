import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../cache.ts";
import { STAGE } from "../processes/part.ts";
import { findProgram, run } from "../run.ts";
import { PlainError, say, saying } from "../say.ts";
import { unpackRelease } from "./apt.ts";
import { fetchDocumentdb } from "./documentdb.ts";
import type { Engine, EngineContext } from "./engine.ts";
import { mongoAnswers } from "./mongoPing.ts";
import { postgresPart } from "./postgres.ts";

const VERSION = "2.7.0";
const MODULE = `github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v${VERSION}`;
const OLDEST_GO = 25;
const GO_PACKAGES = ["golang-1.26-go", "golang-1.26-src"];

/** Whether this data folder was filled by FerretDB. */
export function hasFerretData(dataDir: string): boolean {
  return existsSync(join(dataDir, "postgres", "PG_VERSION"));
}

/** Starts FerretDB and the PostgreSQL behind it. */
export async function startFerret({ supervisor, dataDir, portFor, durable }: EngineContext): Promise<Engine> {
  const [prefix, command] = await Promise.all([fetchDocumentdb(), fetchFerretdb()]);
  say(`MongoDB: FerretDB ${VERSION} on PostgreSQL with DocumentDB, from ${cacheDir()}`);
  const { part, socketDir } = await postgresPart(prefix, dataDir, durable);
  const port = await portFor("mongo");
  const stateDir = join(dataDir, "ferretdb");
  await mkdir(stateDir, { recursive: true });
  await supervisor.start(part);
  await supervisor.start({
    name: "mongo",
    command,
    args: [
      `--postgresql-url=postgres://postgres@/postgres?host=${encodeURIComponent(socketDir)}`,
      ...[`--listen-addr=127.0.0.1:${port}`, "--no-auth", `--state-dir=${stateDir}`, "--debug-addr=-"],
      ...["--telemetry=disable", "--log-level=warn"],
    ],
    port,
    stage: STAGE.engine,
    ready: () => mongoAnswers(port),
  });
  return { url: `mongodb://127.0.0.1:${port}`, processes: ["mongo-postgres", "mongo"] };
}

/** The FerretDB program, built once with Go. */
export async function fetchFerretdb(): Promise<string> {
  const dir = join(cacheDir(), `ferretdb-${VERSION}`);
  await buildOnce(dir, async (aside) => {
    const go = await findGo();
    const build = join(aside, ".build");
    const env = {
      ...process.env,
      ...go.env,
      GOBIN: aside,
      GOPATH: join(build, "path"),
      GOCACHE: join(build, "cache"),
      GOFLAGS: "-modcacherw",
      CGO_ENABLED: "0",
    };
    const install = (): Promise<string> => run(go.command, ["install", MODULE], { env });
    await saying(`FerretDB ${VERSION}: building it with Go (about a minute)`, install).catch((error: Error) => {
      throw new PlainError(`FerretDB could not be built: install mongod, or set MONGO_URL.\n${error.message}`);
    });
    await rm(build, { recursive: true, force: true });
  });
  return join(dir, "ferretdb");
}

async function findGo(): Promise<{ command: string; env: NodeJS.ProcessEnv }> {
  const found = findProgram("go");
  if (found) {
    const version = await run(found, ["env", "GOVERSION"], { env: { ...process.env, GOTOOLCHAIN: "local" } });
    if (Number(/^go1\.(\d+)/.exec(version)?.[1]) >= OLDEST_GO) return { command: found, env: {} };
  }
  const prefix = join(cacheDir(), "go-1.26");
  await buildOnce(prefix, async (aside) => {
    await saying("Go: fetching the Debian packages of Go 1.26", () => unpackRelease(aside, "forky", GO_PACKAGES));
  });
  const root = join(prefix, "usr/lib/go-1.26");
  return { command: join(root, "bin/go"), env: { GOROOT: root, GOTOOLCHAIN: "local" } };
}
