import { readFileSync } from "node:fs";
import { until } from "../ports.ts";
import type { Group } from "./part.ts";

/** Ends process groups stage by stage: each is asked, waited for, and killed when it takes too long. */
export async function endGroups(groups: Group[]): Promise<void> {
  const stages = [...new Set(groups.map((group) => group.stage))].sort((a, b) => a - b);
  for (const stage of stages) {
    await Promise.all(groups.filter((group) => group.stage === stage).map(endGroup));
  }
}

async function endGroup({ pid, signal, graceMs }: Group): Promise<void> {
  signalGroup(pid, signal);
  await until(() => !isAlive(pid), graceMs, 20);
  // Also when the leader has gone: a worker may have outlived it.
  signalGroup(pid, "SIGKILL");
  await until(() => !isAlive(pid), 2_000, 20);
}

/** Sends a signal to a whole group; one that has gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether a process runs: a zombie that nobody has collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return processStat(pid)?.state !== "Z";
}

/** When a process began, in the kernel's ticks: with the pid it names one process for ever, as pids are used again. */
export function processBirth(pid: number): string | undefined {
  return processStat(pid)?.birth;
}

function processStat(pid: number): { state: string; birth: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", birth: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
