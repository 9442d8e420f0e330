import { readdirSync, readFileSync } from "node:fs";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import { readProcStat } from "@messageoh/stack/processes/procStat";

/** Linux counts CPU time in hundredths of a second on every common platform. */
const MS_PER_TICK = 10;

/** CPU milliseconds by process name. */
export type Cpu = Map<string, number>;

/** Returns the CPU time of each process including its running descendants, in milliseconds. */
export function cpuTimes(processes: readonly ProcessEntry[]): Cpu {
  const children = new Map<number, number[]>();
  const ticksOf = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const stat = readProcStat(pid);
    if (!stat) continue;
    ticksOf.set(pid, stat.ticks);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  const treeTicks = (pid: number): number =>
    (ticksOf.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((sum, child) => sum + treeTicks(child), 0);
  return new Map(processes.map(({ name, pid }) => [name, treeTicks(pid) * MS_PER_TICK]));
}

/** Runs a load and adds the CPU milliseconds per 1,000 messages to its result. */
export async function withCpu<T extends { messages: number }>(
  processes: () => readonly ProcessEntry[],
  run: () => Promise<T>,
): Promise<T & { cpu: Cpu }> {
  const before = cpuTimes(processes());
  const result = await run();
  const used = [...cpuTimes(processes())].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)] as const);
  return { ...result, cpu: new Map(used.map(([name, ms]) => [name, (ms / result.messages) * 1_000])) };
}

/** Returns the CPU time of the processes whose name matches. */
export const sumCpu = (cpu: Cpu, name: RegExp): number =>
  [...cpu].reduce((sum, [each, ms]) => (name.test(each) ? sum + ms : sum), 0);

export const ALL = /^/;
export const DATABASE = /^(mongo|postgres)/;
export const NOT_DATABASE = /^(?!mongo|postgres)/;

/** Returns the resident memory of one process in bytes. */
export function residentBytes(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) * 1024;
}
