import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const AUTOGROUP = "/proc/self/autogroup";
const SCRIPT = `
  import { existsSync, readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { lowerPriority } from ${JSON.stringify(join(import.meta.dirname, "priority.ts"))};
  lowerPriority(12);
  console.log(getPriority(), existsSync("${AUTOGROUP}") ? readFileSync("${AUTOGROUP}", "utf8") : "");
`;

it("lowers the priority of a process and of its session", async () => {
  const args = ["-c", 'exec setsid -w "$0" --input-type=module-typescript -e "$1"', process.execPath, SCRIPT];
  const { stdout } = await promisify(execFile)("sh", args, { env: { ...process.env, NODE_OPTIONS: "" } });
  expect(stdout).toMatch(existsSync(AUTOGROUP) ? /^12 \/autogroup-\d+ nice 12/ : /^12/);
});
