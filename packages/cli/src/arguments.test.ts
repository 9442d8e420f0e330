import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repoRoot } from "./root.ts";

const COMMANDS = [
  "system-tests/bench/bench.ts",
  "system-tests/bench/history.ts",
  "system-tests/bench/scale.ts",
  "system-tests/bench/web/main.ts",
  "system-tests/chaos/main.ts",
  "system-tests/flood/main.ts",
  "system-tests/fuzz/main.ts",
  "tools/src/release/cli.ts",
  "tools/src/test.ts",
];

/** A command that does not exit runs into the timeout and has no exit code. */
const run = (command: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(repoRoot(), command), ...args], { encoding: "utf8", timeout: 20_000 });

it.each(COMMANDS)("%s prints its options and rejects an unknown one", (command) => {
  const help = run(command, "--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^npm (run|test)/);

  const refusal = run(command, "--no-such-option");
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toBe(`Unknown option '--no-such-option'\n\n${help.stdout}`);
});

it("rejects a value that is not a number", () => {
  const refusal = run("system-tests/bench/history.ts", "--calls", "many");
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(/^--calls takes a number\n\nnpm run bench:history/);
});

it.each([
  ["system-tests/bench/bench.ts", "--paths", "R,nowhere"],
  ["system-tests/bench/web/main.ts", "--only", "nowhere"],
  ["system-tests/chaos/main.ts", "--without", "nowhere"],
  ["tools/src/test.ts", "--only", "nowhere"],
  ["tools/src/test.ts", "--only", ""],
])("%s rejects an invalid value of %s", (command, option, words) => {
  const refusal = run(command, option, words);
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(new RegExp(`^${option} takes .+, not (nowhere)?\n\nnpm `));
});

it("rejects a number outside its range without a stack trace", () => {
  const refusal = run("system-tests/flood/main.ts", "--cpu", "2");
  expect(refusal).toMatchObject({ status: 2, stdout: "" });
  expect(refusal.stderr).toMatch(/^--cpu must be above 0 and at most 1\n\nnpm run flood/);
});
