import { readFileSync } from "node:fs";
import { until } from "../ports.ts";
import type { Group } from "./part.ts";

/** Stops process groups stage by stage. A group that exceeds its grace period is killed. */
export async function endGroups(groups: Group[]): Promise<void> {
  const stages = [...new Set(groups.map((group) => group.stage))].sort((a, b) => a - b);
  for (const stage of stages) {
    await Promise.all(groups.filter((group) => group.stage === stage).map(endGroup));
  }
}

async function endGroup({ pid, signal, graceMs }: Group): Promise<void> {
  signalGroup(pid, signal);
  await until(() => !isAlive(pid), graceMs, 20);
  // Workers may outlive the leader of the group.
  signalGroup(pid, "SIGKILL");
  await until(() => !isAlive(pid), 2_000, 20);
}

/** Sends a signal to a group; ignores a group that has ended. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Returns whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return processStat(pid)?.state !== "Z";
}

/** Returns the start time of a process in kernel ticks. Together with the pid it is unique, although pids are reused. */
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
