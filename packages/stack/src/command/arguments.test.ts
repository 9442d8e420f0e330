import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { repoRoot } from "./root.ts";

const COMMANDS = [
  "system-tests/browser/screenshots/main.ts",
  "system-tests/bench/bench.ts",
  "system-tests/bench/scale.ts",
  "system-tests/bench/web/main.ts",
  "system-tests/capacity/main.ts",
  "system-tests/chaos/main.ts",
  "system-tests/flood/main.ts",
  "system-tests/fuzz/main.ts",
  "packages/stack/src/releases/commands/cli.ts",
  "tools/src/docker/env.ts",
  "tools/src/docker/test/main.ts",
  "tools/src/kubernetes/test/main.ts",
  "tools/src/mutate/main.ts",
  "tools/src/start.ts",
  "tools/src/test.ts",
];

/** A command that does not exit is killed and has no exit code. */
async function run(command: string, ...args: string[]) {
  const options = { timeout: 50_000, killSignal: "SIGKILL" } as const;
  const child = spawn(process.execPath, [join(repoRoot(), command), ...args], options);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

it.each(COMMANDS)("%s prints its options and rejects an unknown one", async (command) => {
  const [help, refusal] = await Promise.all([run(command, "--help"), run(command, "--no-such-option")]);
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^npm (run|start|test)/);
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toBe(`Unknown option '--no-such-option'\n\n${help.stdout}`);
});

it("rejects a value that is not a number", async () => {
  const refusal = await run("system-tests/bench/bench.ts", "--rounds", "many");
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(/^--rounds takes a number\n\nnpm run bench /);
});

it.each([
  ["system-tests/bench/bench.ts", "--paths", "R,nowhere"],
  ["system-tests/bench/bench.ts", "--only", "600,nowhere"],
  ["system-tests/bench/web/main.ts", "--only", "nowhere"],
  ["tools/src/test.ts", "--only", "nowhere"],
  ["tools/src/test.ts", "--only", ""],
])("%s rejects an invalid value of %s", async (command, option, words) => {
  const refusal = await run(command, option, words);
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(new RegExp(`^${option} takes .+, not (nowhere)?\n\nnpm `));
});

it("rejects a number outside its range without a stack trace", async () => {
  const refusal = await run("system-tests/flood/main.ts", "--cpu", "2");
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(/^--cpu must be above 0 and at most 1\n\nnpm run flood/);
});
