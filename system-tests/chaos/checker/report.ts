import { writeFileSync } from "node:fs";
import type { RunResult } from "../run.ts";
import { hasPassed } from "./checks.ts";
import type { Delays } from "./speed.ts";

const NAME_WIDTH = 54;

/** Prints what was sent, which faults happened and what was checked how often. Returns whether all checks passed. */
export function report(result: RunResult, seed: number, seconds: number): boolean {
  const { checks, bounds } = result;
  const results = checks.results();
  const rows: [string, string | number][] = [
    ["seed", seed],
    ["seconds", seconds],
    ["messages of clients that retry", result.sent],
    ["of them acked", result.acked],
    ["of them refused, because the friendship had ended", result.refused],
    ["of them given up after five minutes", result.givenUp],
    ["late events of clients that connected while storing", result.lateEvents],
    ["messages of clients that do not retry", result.sentWithoutAck],
    ["messages per second while faults are injected", Math.round(result.perSecond)],
    ["nine in ten without faults, ms", result.quietMs],
    ["this machine is slower by", bounds.scale.toFixed(1)],
    ["bound after the last fault, ms", Math.round(bounds.afterLastFaultMs)],
    ["p99 of unaffected pairs during a fault, ms", result.unaffectedP99Ms],
    ["longest silence of a pair, ms", result.longestSilenceMs],
  ];
  const lines = [
    "",
    ...counts("faults", result.faults, result.delays),
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
export function writeJson(file: string, result: RunResult, seed: number, seconds: number): void {
  const { checks, bounds, faults, actions, delays } = result;
  const json = {
    seed,
    seconds,
    sent: result.sent,
    acked: result.acked,
    refused: result.refused,
    given_up: result.givenUp,
    late_events: result.lateEvents,
    sent_without_ack: result.sentWithoutAck,
    users: result.users,
    faults: Object.fromEntries(faults),
    actions: Object.fromEntries(actions),
    checks: checks.results().map(({ name, times, violations, leftOut }) => ({
      name,
      times,
      violations,
      ...(leftOut !== undefined && { left_out: leftOut }),
    })),
    longest_silence_ms: result.longestSilenceMs,
    delays_ms_by_fault: Object.fromEntries(delays),
    quiet_ms: result.quietMs,
    unaffected_p99_ms: result.unaffectedP99Ms,
    slower_by: bounds.scale,
    bound_after_last_fault_ms: Math.round(bounds.afterLastFaultMs),
  };
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
}

const counts = (title: string, of: ReadonlyMap<string, number>, delays?: ReadonlyMap<string, Delays>): string[] => [
  `${title.padEnd(NAME_WIDTH + 9)}${"times".padStart(6)}${delays ? "p99, ms   longest, ms".padStart(24) : ""}`,
  ...[...of].sort().map(([name, count]) => {
    const { p99, longest } = delays?.get(name) ?? { p99: 0, longest: 0 };
    const took = delays ? `${String(p99).padStart(10)}${String(longest).padStart(14)}` : "";
    return `${name.padEnd(NAME_WIDTH + 9)}${String(count).padStart(6)}${took}`;
  }),
  "",
];
