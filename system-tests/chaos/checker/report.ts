import { writeFileSync } from "node:fs";
import type { RunResult } from "../run.ts";
import { hasPassed } from "./checks.ts";

const NAME_WIDTH = 64;
const CELL_WIDTH = 13;

/** The figures of a run: name in the JSON file, title in the report if it has one, and value. */
const figuresOf = (result: RunResult, seed: number, seconds: number): [string, string | undefined, number][] => [
  ["seed", "seed", seed],
  ["seconds", "seconds", seconds],
  ["sent", "messages of clients that retry", result.sent],
  ["acked", "of them acked", result.acked],
  ["refused", "of them refused, because the friendship had ended", result.refused],
  ["given_up", "of them given up after five minutes", result.givenUp],
  ["late_events", "late events of clients that connected while storing", result.lateEvents],
  ["sent_without_ack", "messages of clients that do not retry", result.sentWithoutAck],
  ["users", undefined, result.users],
  ["per_second", "messages per second while faults are injected", Math.round(result.perSecond)],
  ["quiet_ms", "nine in ten without faults, ms", result.quietMs],
  ["slower_by", "this machine is slower by", Math.round(result.bounds.scale * 10) / 10],
  ["bound_after_last_fault_ms", "bound after the last fault, ms", Math.round(result.bounds.afterLastFaultMs)],
  ["unaffected_p99_ms", "p99 of unaffected pairs during a fault, ms", result.unaffectedP99Ms],
  ["longest_silence_ms", "longest silence of a pair, ms", result.longestSilenceMs],
];

/** Prints what was sent, which faults happened and what was checked how often. Returns whether all checks passed. */
export function report(result: RunResult, seed: number, seconds: number): boolean {
  const { checks, faults, delays, actions } = result;
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
    ...figuresOf(result, seed, seconds).flatMap(([, title, value]) => (title ? [row(title, value)] : [])),
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
export function writeJson(file: string, result: RunResult, seed: number, seconds: number): void {
  const { checks, faults, actions, delays } = result;
  const json = {
    ...Object.fromEntries(figuresOf(result, seed, seconds).map(([name, , value]) => [name, value])),
    faults: Object.fromEntries(faults),
    actions: Object.fromEntries(actions),
    checks: checks.results().map(({ leftOut, ...result }) => ({ ...result, ...(leftOut && { left_out: leftOut }) })),
    delays_ms_by_fault: Object.fromEntries(delays),
  };
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
}
