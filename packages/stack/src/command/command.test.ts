import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { repoRoot } from "./root.ts";

/** Runs a command with this body, which prints its folder first. */
async function run(body: string) {
  const program = `
    import { keepLogs, runCommand } from "@messageoh/stack/command/command";
    await runCommand("test", async (command) => {
      console.log(command.dir);
      command.atEnd(() => console.log("added first"));
      command.atEnd(() => Promise.reject(new Error("cleanup failed")));
      command.atEnd(() => console.log("added last", command.signal.aborted));
      ${body}
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { cwd: repoRoot() });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const [dir = "", ...lines] = stdout.trim().split("\n");
  return { status, stderr, dir, lines };
}

it.each([
  ["without a result", "", 0],
  ["with a result", "return 3;", 3],
  ["after an error", 'throw new Error("the reason");', 1],
  ["after a signal", 'process.kill(process.pid, "SIGTERM"); await new Promise((done) => setTimeout(done, 1e6));', 130],
])("cleans up in reverse order, removes its folder and ends the process %s", async (_, body, status) => {
  const ended = await run(body);
  expect(ended).toMatchObject({ status, lines: ["added last true", "added first"] });
  expect(ended.stderr).toMatch(status === 1 ? /the reason.*cleanup: Error: cleanup failed/s : /^cleanup: Error: /);
  expect(existsSync(ended.dir)).toBe(false);
});

it("keeps the logs of a command", async () => {
  const { dir, lines } = await run(`
    const { mkdirSync } = await import("node:fs");
    mkdirSync(command.dir + "/logs");
    await keepLogs(command);`);
  expect(lines[0]).toContain(`the logs are in ${dir}-logs`);
  expect([existsSync(dir), existsSync(`${dir}-logs`)]).toEqual([false, true]);
  await rm(`${dir}-logs`, { recursive: true });
});
