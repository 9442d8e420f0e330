import { writeFileSync } from "node:fs";
import type { RunResult } from "../run.ts";
import { hasPassed } from "./checks.ts";

const NAME_WIDTH = 54;

/** Prints what was sent, which faults happened and what was checked how often. Returns whether all checks passed. */
export function report(result: RunResult, seed: string, seconds: number): boolean {
  const { checks, bounds } = result;
  const results = checks.results();
  const rows: [string, string | number][] = [
    ["seed", seed],
    ["seconds", seconds],
    ["sent by the product's client", result.sent],
    ["acked", result.acked],
    ["nine in ten without faults, ms", result.quietMs],
    ["this machine is slower by", bounds.scale.toFixed(1)],
    ["bound after the last fault, ms", Math.round(bounds.afterLastFaultMs)],
    ["p99 of unaffected pairs during a fault, ms", result.unaffectedP99Ms],
    ["longest silence of a pair, ms", result.longestSilenceMs],
  ];
  const lines = [
    "",
    ...counts("faults", result.faults),
    ...counts("actions", result.actions),
    ...rows.map(([name, value]) => `${name.padEnd(NAME_WIDTH)}${String(value).padStart(10)}`),
    "",
    `${"check".padEnd(NAME_WIDTH)}${"times".padStart(10)}${"violations".padStart(12)}`,
    ...results.map(({ name, times, violations, leftOut }) => {
      const note = leftOut ? `  left out: ${leftOut}` : times === 0 ? "  NEVER CHECKED" : "";
      return `${name.padEnd(NAME_WIDTH)}${String(times).padStart(10)}${String(violations).padStart(12)}${note}`;
    }),
    "",
    ...checks.details,
  ];
  const isKept = results.every(hasPassed);
  process.stdout.write(`${lines.join("\n")}\n${isKept ? "Every check passed." : "CHECKS FAILED."}\n`);
  return isKept;
}

/** Writes the results for other programs. */
export function writeJson(file: string, result: RunResult): void {
  const { checks, sent, acked, faults, actions, longestSilenceMs } = result;
  const json = {
    sent,
    acked,
    faults: Object.fromEntries(faults),
    actions: Object.fromEntries(actions),
    checks: checks.results().map(({ name, times, violations }) => ({ name, times, violations })),
    longest_silence_ms: longestSilenceMs,
  };
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
}

const counts = (title: string, of: ReadonlyMap<string, number>): string[] => [
  `${title}:`,
  ...[...of].sort().map(([name, count]) => `${String(count).padStart(6)} × ${name}`),
  "",
];
