import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchange, until } from "../ports.ts";
import { isAlive } from "../processes/groups.ts";
import { type Part, STAGE } from "../processes/part.ts";
import { PlainError } from "../say.ts";
import { ensureCluster, postgresProgram } from "./documentdb.ts";
import { asOrdinaryUser, isRoot, POSTGRES_UID } from "./unprivileged.ts";

const SOCKET_NUMBER = 5432;
// A Unix socket's path has 107 bytes at most, and the file's own name takes some of them.
const LONGEST_SOCKET_DIR = 90;
// Writers that race for one unique key may lock each other here; they are told soon, and try again.
const DEADLOCK_TIMEOUT = "deadlock_timeout=100ms";
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** PostgreSQL as a part of a stack, and the folder of its socket: it listens on no port. */
export async function postgresPart(
  prefix: string,
  dataDir: string,
  durable: boolean,
): Promise<{ part: Part; socketDir: string }> {
  const cluster = join(dataDir, "postgres");
  await ensureCluster(prefix, cluster);
  const socketDir = await makeSocketDir(dataDir);
  const localhost = `documentdb.localhost_connection_string=host='${socketDir}'`;
  const settings = [localhost, DEADLOCK_TIMEOUT, ...(durable ? [] : FAST)];
  const args = [
    "-D",
    cluster,
    "-k",
    socketDir,
    "-p",
    String(SOCKET_NUMBER),
    ...settings.flatMap((text) => ["-c", text]),
  ];
  const socket = join(socketDir, `.s.PGSQL.${SOCKET_NUMBER}`);
  const part: Part = {
    name: "mongo-postgres",
    ...(await asOrdinaryUser(postgresProgram(prefix), args, [cluster, postgresProgram(prefix)])),
    cwd: "/",
    port: 0,
    stage: STAGE.storage,
    stopSignal: "SIGINT",
    graceMs: 20_000,
    prepare: async () => {
      await removeStalePid(cluster);
      endOrphans(cluster);
    },
    ready: async () => (await exchange(socket, startupMessage()))?.toString("latin1").startsWith("R") ?? false,
  };
  return { part, socketDir };
}

async function makeSocketDir(dataDir: string): Promise<string> {
  let dir = join(dataDir, "postgres-socket");
  if (dir.length > LONGEST_SOCKET_DIR || dir.includes("'")) dir = await mkdtemp(join(tmpdir(), "messageoh-"));
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o700);
  if (isRoot()) await chown(dir, POSTGRES_UID, POSTGRES_UID);
  return dir;
}

/** After a crash the pid in the lock file may belong to another process by now, and PostgreSQL would refuse to start. */
async function removeStalePid(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  const isOurs = (): boolean => isAlive(pid) && commandLine(pid).includes(cluster);
  if (!(await until(() => !isOurs(), 10_000)))
    throw new PlainError(`a PostgreSQL (pid ${pid}) still runs on ${cluster}`);
  await rm(file, { force: true });
}

/**
 * Ends what a killed server left behind: a busy child may not notice for long that its parent is gone, and its shared
 * memory would keep the next server from starting.
 */
function endOrphans(cluster: string): void {
  if (!existsSync("/proc/self/cmdline")) return;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !commandLine(pid).includes(`\0-D\0${cluster}\0`)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It noticed in the meantime.
    }
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function startupMessage(): Buffer {
  const body = Buffer.from("\0\x03\0\0user\0postgres\0database\0postgres\0\0", "latin1");
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
