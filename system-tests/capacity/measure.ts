import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import { readProcStat } from "@messageoh/stack/processes/procStat";
import { cpuTimes } from "../bench/load/cpu.ts";
import { runOpen } from "../bench/load/load.ts";
import { startFull } from "../bench/targets/full.ts";
import { pause } from "../client/account.ts";

export const WARM_UP_SECONDS = 8;
const COLLECT_MS = 2_000;

/** What the processes of a part use, and their number. */
export interface Measured {
  units: number;
  /** CPU milliseconds per second. */
  cpuMs: number;
  memoryMb: number;
}

/**
 * Measures a stack with two svc-realtime instances while connected users send messages. Returns what its processes use,
 * by their name, and how long it took to send the messages, which a busy machine delays.
 */
export async function measureUsage(
  dir: string,
  { users, perSecond, seconds }: { users: number; perSecond: number; seconds: number },
): Promise<{ measured: Map<string, Measured>; elapsedSeconds: number }> {
  const { stack, connect, stop } = await startFull(join(dir, String(users)), { isLive: true });
  try {
    const connections = await connect(users);
    await runOpen(connections, { perSecond, seconds: WARM_UP_SECONDS });
    const [before, beganAt] = [cpuTimes(stack.processes()), performance.now()];
    await runOpen(connections, { perSecond, seconds });
    const [after, elapsed] = [cpuTimes(stack.processes()), performance.now() - beganAt];
    for (const { name, pid } of stack.processes()) if (name.startsWith("svc-")) process.kill(pid, "SIGUSR2");
    await pause(COLLECT_MS);
    const measured = new Map<string, Measured>();
    for (const entry of stack.processes()) {
      const { units, cpuMs, memoryMb } = measured.get(partOf(entry)) ?? { units: 0, cpuMs: 0, memoryMb: 0 };
      const used = (after.get(entry.name) ?? 0) - (before.get(entry.name) ?? 0);
      measured.set(partOf(entry), {
        units: units + 1,
        cpuMs: cpuMs + (1_000 * used) / elapsed,
        memoryMb: memoryMb + memoryOf(entry.pid),
      });
    }
    for (const connection of connections) connection.close();
    return { measured, elapsedSeconds: elapsed / 1_000 };
  } finally {
    await stop();
  }
}

const partOf = ({ name }: ProcessEntry): string => name.replace(/-\d+$/, "");

/** Returns the memory of a process and its children in MB; pages that several processes share count once. */
function memoryOf(pid: number): number {
  const children = readdirSync("/proc").filter((entry) => readProcStat(Number(entry))?.parent === pid);
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1_000;
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), own);
}
