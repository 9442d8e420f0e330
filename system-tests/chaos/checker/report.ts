import { writeFileSync } from "node:fs";
import { printTable } from "@messageoh/stack/command/table";
import type { RunResult } from "../run.ts";
import { hasPassed } from "./checks.ts";

/** Prints what was sent, which faults happened and what was checked how often. Returns whether all checks passed. */
export function report({ checks, figures, faults, delays, actions }: RunResult): boolean {
  const results = checks.results();
  process.stdout.write("\n");
  printTable(
    ["faults", "times", "p99, ms", "longest, ms"],
    [...faults].sort().map(([name, times]) => {
      const { p99 = 0, longest = 0 } = delays.get(name) ?? {};
      return [name, times, p99, longest];
    }),
  );
  printTable(["actions", "times"], [...actions].sort());
  printTable(
    ["figure", "value"],
    figures.flatMap(([, title, value]) => (title ? [[title, value]] : [])),
  );
  printTable(
    ["check", "times", "violations", ""],
    results.map(({ name, times, violations, leftOut }) => {
      const note = leftOut ? `left out: ${leftOut}` : times === 0 ? "NEVER CHECKED" : "";
      return [name, times, violations, note];
    }),
  );
  const isKept = results.every(hasPassed);
  process.stdout.write([...checks.details, isKept ? "Every check passed.\n" : "CHECKS FAILED.\n"].join("\n"));
  return isKept;
}

/** Writes the results for other programs. */
export function writeJson(file: string, { checks, figures, faults, actions, delays }: RunResult): void {
  const json = {
    ...Object.fromEntries(figures.map(([name, , value]) => [name, value])),
    faults: Object.fromEntries(faults),
    actions: Object.fromEntries(actions),
    checks: checks.results().map(({ leftOut, ...result }) => ({ ...result, ...(leftOut && { left_out: leftOut }) })),
    delays_ms_by_fault: Object.fromEntries(delays),
  };
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
}
