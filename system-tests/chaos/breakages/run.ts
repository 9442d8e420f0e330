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

/**
 * Breaks the product in each way whose name contains one of the texts and checks that a run notices. The same runs
 * without a patch come first. Returns the exit code.
 */
export async function runBreakages(command: Command, only: readonly string[]): Promise<number> {
  const isChosen = ({ name }: Breakage) => only.length === 0 || only.some((text) => name.includes(text));
  const chosen = readBreakages(repoRoot()).filter(isChosen);
  const copy = new BrokenCopy(repoRoot(), command);
  const runs = Map.groupBy(chosen, (breakage) => argumentsOf(breakage).join(" "));
  for (const breakages of runs.values()) {
    const args = argumentsOf(breakages[0] as Breakage);
    const results = await runCopy(copy, args);
    const violated = violatedIn(results);
    const untrue = breakages.filter(({ check }) => violated.includes(check));
    for (const breakage of untrue) {
      process.stdout.write(`The product violates "${breakage.check}" without the patch "${breakage.name}"\n`);
    }
    if (untrue.length > 0 || results.length === 0) return 1;
  }
  const unnoticed: string[] = [];
  for (const breakage of chosen) {
    const violated = violatedIn(await copy.patched(breakage, () => runCopy(copy, argumentsOf(breakage))));
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

function argumentsOf({ faults = [], load }: Breakage): string[] {
  const only = faults.length > 0 ? faults.flatMap((fault) => ["--only", fault]) : WITHOUT_FAULTS;
  return [...SHORT, ...only, ...(load?.split(" ") ?? []), ...PATIENCE, "--json", RESULTS];
}

const violatedIn = (results: readonly CheckResult[]): string[] =>
  results.filter(({ violations }) => violations > 0).map(({ name }) => name);

async function runCopy(copy: BrokenCopy, args: string[]): Promise<CheckResult[]> {
  rmSync(join(copy.dir, RESULTS), { force: true });
  // The logs of a failed run are of no use here.
  const env = { ...process.env, TMPDIR: copy.dir };
  const output = await copy.run(process.execPath, ["system-tests/chaos/main.ts", ...args], env);
  const results = copy.readJson<{ checks: CheckResult[] }>(RESULTS);
  if (!results) process.stdout.write(`${output}\nThis run wrote no results: ${args.join(" ")}\n`);
  return results?.checks ?? [];
}
