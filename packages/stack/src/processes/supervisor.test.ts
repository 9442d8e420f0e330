import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silenceProgress } from "../command/progress.ts";
import { repoRoot } from "../command/root.ts";
import { freePort, until } from "../ports.ts";
import { respondsOk } from "../services.ts";
import { isAlive } from "./groups.ts";
import type { Part, ProcessEntry } from "./part.ts";
import { Supervisor } from "./supervisor.ts";

const SERVE = 'require("http").createServer((q, s) => s.end()).listen(+process.argv[1], "127.0.0.1")';
let dir: string;
let supervisor: Supervisor;

beforeEach(() => {
  silenceProgress();
  dir = mkdtempSync(join(tmpdir(), "messageoh-supervisor-"));
  supervisor = new Supervisor(dir);
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true });
});

async function serving(name: string, script = SERVE): Promise<Part> {
  const port = await freePort();
  const ready = (): Promise<boolean> => respondsOk(`http://127.0.0.1:${port}/`);
  return { name, command: process.execPath, args: ["-e", script, String(port)], port, stage: 0, ready };
}

const listed = (): ProcessEntry[] => JSON.parse(readFileSync(join(dir, "processes.json"), "utf8")) as ProcessEntry[];

it("restarts a killed part on its port and updates processes.json", async () => {
  const part = await serving("one");
  await supervisor.start(part);
  const [before] = listed();
  expect(before).toEqual({ name: "one", pid: expect.any(Number), port: part.port });
  process.kill(before?.pid ?? 0, "SIGKILL");
  expect(await until(() => listed().some(({ pid }) => pid !== before?.pid), 5_000)).toBe(true);
  expect(await until(part.ready, 5_000)).toBe(true);
  await supervisor.stop();
  expect(listed()).toEqual([]);
  expect(await part.ready()).toBe(false);
});

it("rejects with the last log lines of a part that does not start", async () => {
  const part = await serving("broken", 'console.error("no such setting"); process.exit(3)');
  await expect(supervisor.start(part)).rejects.toThrow(/broken did not start.*code 3[\s\S]*no such setting/);
});

it("kills a part that ignores the stop signal after its grace period", async () => {
  const part = { ...(await serving("stubborn", `process.on("SIGTERM", () => {}); ${SERVE}`)), graceMs: 300 };
  await supervisor.start(part);
  const pid = listed()[0]?.pid ?? 0;
  await supervisor.stop();
  expect(isAlive(pid)).toBe(false);
});

it("rotates the log of a part while it runs and writes", async () => {
  const LINE = 1_000;
  const flood = `process.stdout.write("a".repeat(${11 * 1024 * 1024}));
    setInterval(() => process.stdout.write("b".repeat(${LINE - 1}) + "\\n"), 100);`;
  await supervisor.start(await serving("talkative", `${flood} ${SERVE}`));
  const log = join(dir, "logs/talkative.log");
  expect(await until(() => existsSync(`${log}.1`), 20_000)).toBe(true);
  const { size } = statSync(log);
  expect(await until(() => statSync(log).size > size, 5_000)).toBe(true);
  expect(readFileSync(`${log}.1`, "utf8").slice(0, 11)).toBe("a".repeat(11));
  expect(new Set(readFileSync(log, "utf8").replaceAll("\n", ""))).toEqual(new Set("b"));
  expect(statSync(log).size).toBeLessThan(1024 * 1024);
  expect([statSync(log).mode & 0o777, statSync(`${log}.1`).mode & 0o777]).toEqual([0o600, 0o600]);
});

it("stops parts of a lower stage before parts of a higher stage", async () => {
  const trace = join(dir, "trace");
  const leave = (name: string): string =>
    `process.on("SIGTERM", () => { require("fs").appendFileSync("${trace}", "${name} "); process.exit(); }); ${SERVE}`;
  await supervisor.start({ ...(await serving("storage", leave("storage"))), stage: 5 });
  await supervisor.start({ ...(await serving("front", leave("front"))), stage: 0 });
  await supervisor.stop();
  expect(readFileSync(trace, "utf8")).toBe("front storage ");
});

it("leaves no process behind when the starter is killed", async () => {
  const home = mkdtempSync(join(tmpdir(), "messageoh-killed-"));
  const { args, port } = await serving("orphan");
  const script = join(home, "starter.ts");
  const supervisorFile = join(repoRoot(), "packages/stack/src/processes/supervisor.ts");
  writeFileSync(
    script,
    `import { Supervisor } from ${JSON.stringify(supervisorFile)};
    const part = { name: "orphan", command: process.execPath, args: ${JSON.stringify(args)}, port: ${port}, stage: 0 };
    await new Supervisor(${JSON.stringify(home)}).start({ ...part, ready: async () => true });
    setInterval(() => {}, 1000);`,
  );
  const starter = spawn(process.execPath, [script], { cwd: repoRoot(), stdio: "ignore" });
  const up = (): Promise<boolean> => respondsOk(`http://127.0.0.1:${port}/`);
  expect(await until(up, 10_000)).toBe(true);
  const pids = (JSON.parse(readFileSync(join(home, "processes.json"), "utf8")) as ProcessEntry[]).map(({ pid }) => pid);
  starter.kill("SIGKILL");
  expect(await until(() => !pids.some(isAlive), 10_000)).toBe(true);
  expect(existsSync(script)).toBe(true);
  rmSync(home, { recursive: true });
});
