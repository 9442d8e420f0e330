import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Runs a module that imports `run.ts`, sends it a signal when it has printed a line, and returns its exit code. */
async function exitCodeOf(body: string): Promise<number | null> {
  const imports = `import * as run from ${JSON.stringify(join(__dirname, "run.ts"))};`;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", `${imports}\n${body}\nconsole.log("started");`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = await ended;
  return code as number | null;
}

const WAIT = "setInterval(() => {}, 1_000);";
const LOGGER = "{ info() {}, error() {} }";

it("ends a process that still waits for its datastores", async () => {
  expect(await exitCodeOf(`run.exitOnSignals(); ${WAIT}`)).toBe(0);
});

it("ends a started process after the steps of its shutdown", async () => {
  const steps = "[() => { process.stdout.write('step'); }, () => process.exit(7)]";
  expect(await exitCodeOf(`run.exitOnSignals(); run.shutDownInOrder(${LOGGER}, ${steps}); ${WAIT}`)).toBe(7);
});
