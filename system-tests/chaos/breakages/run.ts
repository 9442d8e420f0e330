import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@messageoh/stack/command/command";
import { repoRoot } from "@messageoh/stack/command/root";
import { BrokenCopy } from "tools/mutate/brokenCopy";
import type { CheckResult } from "../checker/checks.ts";
import { type Breakage, readBreakages } from "./breakages.ts";

const SHORT = "--minutes 0.25 --users 4 --reach 1 --rate 12 --actions 1 --fault-every 3 --crowd 0 --seed 1".split(" ");
const WITHOUT_FAULTS = "--small --fault-every 0 --minutes 0.1".split(" ");
/** Waiting in vain for what a breakage prevents would only take time. */
const PATIENCE = ["--patience", "2"];
const RESULTS = "chaos.json";

/** Breaks the product in each way whose name contains `name` and checks that a run notices. Returns the exit code. */
export async function runBreakages(command: Command, name: string): Promise<number> {
  const chosen = readBreakages(repoRoot()).filter((breakage) => breakage.name.includes(name));
  const copy = new BrokenCopy(repoRoot(), command);
  const unnoticed: string[] = [];
  for (const breakage of chosen) {
    const results = await runBroken(copy, breakage);
    const violated = results.filter(({ violations }) => violations > 0).map((result) => result.name);
    const isCaught = violated.includes(breakage.check);
    if (!isCaught) unnoticed.push(breakage.name);
    const others = violated.filter((check) => check !== breakage.check);
    process.stdout.write(
      `${isCaught ? "caught    " : "UNNOTICED "} ${breakage.name}\n` +
        `           by: ${breakage.check}${others.length > 0 ? `; also: ${others.join(", ")}` : ""}\n`,
    );
  }
  process.stdout.write(`\n${chosen.length - unnoticed.length} of ${chosen.length} breakages were caught\n`);
  return unnoticed.length === 0 && chosen.length > 0 ? 0 : 1;
}

async function runBroken(copy: BrokenCopy, breakage: Breakage): Promise<CheckResult[]> {
  const { faults = [], load } = breakage;
  const only = faults.length > 0 ? faults.flatMap((fault) => ["--only", fault]) : WITHOUT_FAULTS;
  const args = [...SHORT, ...only, ...(load?.split(" ") ?? []), ...PATIENCE, "--json", RESULTS];
  rmSync(join(copy.dir, RESULTS), { force: true });
  // The logs of a failed run are of no use here.
  const env = { ...process.env, TMPDIR: copy.dir };
  const output = await copy.patched(breakage, () =>
    copy.run(process.execPath, ["system-tests/chaos/main.ts", ...args], env),
  );
  const results = copy.readJson<{ checks: CheckResult[] }>(RESULTS);
  if (!results) process.stdout.write(`${output}\nThe run of "${breakage.name}" wrote no results.\n`);
  return results?.checks ?? [];
}
