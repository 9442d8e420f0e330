import { until } from "../ports.ts";
import type { Group } from "./part.ts";
import { readProcStat } from "./procStat.ts";

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
  return readProcStat(pid)?.state !== "Z";
}
