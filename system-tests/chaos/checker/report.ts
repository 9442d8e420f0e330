import { writeFileSync } from "node:fs";
import type { RunResult } from "../run.ts";
import { hasPassed } from "./checks.ts";

const NAME_WIDTH = 64;
const CELL_WIDTH = 13;

/** Prints what was sent, which faults happened and what was checked how often. Returns whether all checks passed. */
export function report({ checks, figures, faults, delays, actions }: RunResult): boolean {
  const results = checks.results();
  const row = (name: string, ...cells: (string | number)[]) =>
    name.padEnd(NAME_WIDTH) + cells.map((cell) => String(cell).padStart(CELL_WIDTH)).join("");
  const lines = [
    "",
    row("faults", "times", "p99, ms", "longest, ms"),
    ...[...faults].sort().map(([name, times]) => {
      const { p99 = 0, longest = 0 } = delays.get(name) ?? {};
      return row(name, times, p99, longest);
    }),
    "",
    row("actions", "times"),
    ...[...actions].sort().map(([name, times]) => row(name, times)),
    "",
    ...figures.flatMap(([, title, value]) => (title ? [row(title, value)] : [])),
    "",
    row("check", "times", "violations"),
    ...results.map(({ name, times, violations, leftOut }) => {
      const note = leftOut ? `  left out: ${leftOut}` : times === 0 ? "  NEVER CHECKED" : "";
      return row(name, times, violations) + note;
    }),
    "",
    ...checks.details,
  ];
  const isKept = results.every(hasPassed);
  process.stdout.write(`${lines.join("\n")}\n${isKept ? "Every check passed." : "CHECKS FAILED."}\n`);
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
