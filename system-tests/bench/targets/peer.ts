import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { findProgram, isRoot, run } from "@messageoh/stack/command/run";
import { exchange, freePort } from "@messageoh/stack/ports";
import { type Part, STAGE } from "@messageoh/stack/processes/part";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import pLimit from "p-limit";
import type { Connection } from "../../client/wire.ts";
import { connectXmpp } from "../load/xmppConnection.ts";
import type { Target } from "./target.ts";

const POSTGRES_DIR = "/usr/lib/postgresql";
const SCHEMA = "/usr/share/ejabberd/sql/pg.sql";
const PASSWORD = "bench";
/** Accounts that are registered at the same time. With 600, some calls failed. */
const REGISTRATIONS = 20;

/** Starts Debian's ejabberd with its message archive on Debian's PostgreSQL; returns `null` if one is not installed. */
export async function startPeer(dataDir: string): Promise<Target | null> {
  const ejabberdctl = findProgram("ejabberdctl");
  const version = existsSync(POSTGRES_DIR) ? readdirSync(POSTGRES_DIR).sort().at(-1) : undefined;
  if (!ejabberdctl || !version || !existsSync(SCHEMA)) return null;
  const bin = join(POSTGRES_DIR, version, "bin");
  const supervisor = new Supervisor(dataDir);
  try {
    const [port, postgresPort] = [await freePort(), await freePort()];
    await supervisor.start(await postgres(bin, join(dataDir, "postgres"), postgresPort));
    const address = ["-h", "127.0.0.1", "-p", String(postgresPort), "-U", "postgres"];
    await run(join(bin, "psql"), [...address, "-q", "-f", SCHEMA, "postgres"]);
    await supervisor.start(await ejabberd(ejabberdctl, join(dataDir, "ejabberd"), port, postgresPort));
    const url = `http://127.0.0.1:${port}`;
    return {
      name: "peer",
      processes: () => supervisor.processes(),
      // ejabberd saturates below 1,000 messages per second.
      perSecondMax: 400,
      stop: () => supervisor.stop(),
      async connect(count) {
        await pLimit(REGISTRATIONS).map([...Array(count).keys()], (index) => register(url, `user${index}`));
        const connections: Connection[] = [];
        for (let index = 0; index < count; index += 1) {
          connections.push(await connectXmpp(url, `user${index}`, `user${index ^ 1}`, PASSWORD));
        }
        return connections;
      },
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function register(url: string, user: string): Promise<void> {
  const body = JSON.stringify({ user, host: "localhost", password: PASSWORD });
  const response = await fetch(`${url}/api/register`, { method: "POST", body });
  if (!response.ok) throw new Error(`ejabberd returned status ${response.status}: ${await response.text()}`);
}

async function postgres(bin: string, dir: string, port: number): Promise<Part> {
  await ownedBy("postgres", dir);
  const flags = "-A trust -U postgres --no-locale -E UTF8".split(" ");
  const initdb = as("postgres", join(bin, "initdb"), [...flags, dir]);
  await run(initdb.command, initdb.args);
  const args = ["-D", dir, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-k", ""];
  return {
    name: "postgres",
    ...as("postgres", join(bin, "postgres"), args),
    cwd: "/",
    port,
    stage: STAGE.storage,
    stopSignal: "SIGINT",
    // An SSL request, to which PostgreSQL always responds with one letter.
    ready: async () => (await exchange(port, Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))) !== undefined,
  };
}

async function ejabberd(command: string, dir: string, port: number, postgresPort: number): Promise<Part> {
  await ownedBy("ejabberd", dir);
  const config = (await readFile(join(repoRoot(), "system-tests/bench/peer/ejabberd.yml"), "utf8"))
    .replace("port: PORT", `port: ${port}`)
    .replace("sql_port: POSTGRES_PORT", `sql_port: ${postgresPort}`);
  await writeFile(join(dir, "ejabberd.yml"), config);
  // With a fixed port for Erlang's distribution, ejabberd does not start a port mapper, which would outlive it.
  const control = [`ERL_DIST_PORT=${await freePort()}`, "INET_DIST_INTERFACE=127.0.0.1", "ERLANG_NODE=bench@localhost"];
  await writeFile(join(dir, "ejabberdctl.cfg"), `${control.join("\n")}\n`);
  const files = ["--config", join(dir, "ejabberd.yml"), "--ctl-config", join(dir, "ejabberdctl.cfg")];
  return {
    name: "ejabberd",
    ...as("ejabberd", command, [...files, "--logs", dir, "--spool", dir, "foreground"]),
    env: { ...process.env, HOME: dir },
    cwd: dir,
    port,
    stage: STAGE.dependency,
    ready: async () => (await exchange(port, "GET /api/status HTTP/1.0\r\n\r\n")) !== undefined,
  };
}

/** Returns a command that runs a program as its package's user, because PostgreSQL does not run as root. */
function as(user: string, command: string, args: string[]): { command: string; args: string[] } {
  if (!isRoot()) return { command, args };
  return { command: "setpriv", args: [`--reuid=${user}`, `--regid=${user}`, "--clear-groups", command, ...args] };
}

async function ownedBy(user: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  if (!isRoot()) return;
  await run("chown", [`${user}:`, dir]);
  for (let parent = join(dir, ".."); parent.startsWith("/tmp/"); parent = join(parent, ".."))
    await chmod(parent, 0o755);
}
