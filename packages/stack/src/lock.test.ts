import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StackLock } from "./lock.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "messageoh-lock-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

test("a folder belongs to one stack until it is released", async () => {
  const lock = await StackLock.take(dir);
  await expect(StackLock.take(dir)).rejects.toThrow("already runs");
  lock.release();
  (await StackLock.take(dir)).release();
});

test("a data folder is closed to other users, a shared one stays as it is", async () => {
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

test("the lock of a killed starter is taken over", async () => {
  const gone = spawn("true");
  await once(gone, "exit");
  writeFileSync(join(dir, "stack.lock"), JSON.stringify({ starter: { pid: gone.pid } }));
  (await StackLock.take(dir)).release();
});

test("a pid that another process has by now holds nothing", async () => {
  writeFileSync(join(dir, "stack.lock"), JSON.stringify({ starter: { pid: process.pid, birth: "1" } }));
  (await StackLock.take(dir)).release();
});

test("it waits while a watchdog still ends what a killed starter left behind", async () => {
  const watchdog = spawn("sleep", ["1"]);
  const content = { starter: { pid: process.pid, birth: "1" }, watchdog: { pid: watchdog.pid } };
  writeFileSync(join(dir, "stack.lock"), JSON.stringify(content));
  const began = Date.now();
  (await StackLock.take(dir)).release();
  expect(Date.now() - began).toBeGreaterThan(800);
});
