import { readdirSync, readFileSync } from "node:fs";
import type { ProcessEntry } from "../../tools/src/processes/part.ts";

/** Linux counts CPU time in hundredths of a second everywhere that matters. */
const MS_PER_TICK = 10;

/** CPU time used so far by each of these processes and all its living descendants, in milliseconds, by name. */
export function cpuTimes(processes: readonly ProcessEntry[]): Map<string, number> {
  const children = new Map<number, number[]>();
  const ticksOf = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const stat = readStat(pid);
    if (!stat) continue;
    ticksOf.set(pid, stat.ticks);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  const treeTicks = (pid: number): number =>
    (ticksOf.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((sum, child) => sum + treeTicks(child), 0);
  return new Map(processes.map(({ name, pid }) => [name, treeTicks(pid) * MS_PER_TICK]));
}

/** Resident memory of one process, in bytes. */
export function residentBytes(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) * 1024;
}

function readStat(pid: number): { parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold anything; behind it: state, parent, ..., user and system time, those of waited children.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, ticks: user + system + childUser + childSystem };
  } catch {
    return undefined;
  }
}
