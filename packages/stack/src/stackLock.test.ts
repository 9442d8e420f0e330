import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StackLock } from "./stackLock.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "messageoh-lock-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

it("locks a folder until the stack releases it", async () => {
  const lock = await StackLock.take(dir);
  await expect(StackLock.take(dir)).rejects.toThrow("already runs");
  lock.release();
  (await StackLock.take(dir)).release();
});

it("closes a data folder to other users and leaves a shared folder unchanged", async () => {
  const modeOf = (path: string) => statSync(path).mode & 0o7777;
  const made = join(dir, "a/made");
  (await StackLock.take(made)).release();
  expect(modeOf(made)).toBe(0o700);
  chmodSync(made, 0o755);
  writeFileSync(join(made, "stack.json"), "{}");
  (await StackLock.take(made)).release();
  expect(modeOf(made)).toBe(0o700);
  chmodSync(made, 0o1777);
  (await StackLock.take(made)).release();
  expect(modeOf(made)).toBe(0o1777);
  chmodSync(dir, 0o755);
  (await StackLock.take(dir)).release();
  expect(modeOf(dir)).toBe(0o755);
});

it("takes over the lock of a killed starter", async () => {
  const gone = spawn("true");
  await once(gone, "exit");
  writeFileSync(join(dir, "stack.lock"), JSON.stringify({ starter: { pid: gone.pid } }));
  (await StackLock.take(dir)).release();
});

it("ignores a lock whose pid belongs to another process now", async () => {
  writeFileSync(join(dir, "stack.lock"), JSON.stringify({ starter: { pid: process.pid, birth: "1" } }));
  (await StackLock.take(dir)).release();
});

it("waits while a watchdog ends the processes of a killed starter", async () => {
  const watchdog = spawn("sleep", ["1"]);
  const content = { starter: { pid: process.pid, birth: "1" }, watchdog: { pid: watchdog.pid } };
  writeFileSync(join(dir, "stack.lock"), JSON.stringify(content));
  const began = Date.now();
  (await StackLock.take(dir)).release();
  expect(Date.now() - began).toBeGreaterThan(800);
});
