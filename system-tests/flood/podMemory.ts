import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readProcStat } from "@messageoh/stack/processes/procStat";
import type { Stack } from "@messageoh/stack/stack";
import { parseAllDocuments } from "yaml";

type Manifest = {
  kind: string;
  spec: { template: { spec: { containers: { name: string; resources: { limits: { memory: string } } }[] } } };
};
const BYTES: Record<string, number> = { Mi: 2 ** 20, Gi: 2 ** 30 };
const BASE = "deploy/kubernetes/base";

/** Peak memory of a part and the memory limit of its pod; datastores have no pod in these manifests. */
interface PodMemory {
  name: string;
  peakBytes: number;
  limitBytes: number | undefined;
}

/** Returns the memory of every part of a stack. Works on Linux only, because it reads `/proc`. */
export function podMemory(root: string, stack: Stack): PodMemory[] {
  const limits = podLimits(root);
  const peaks = peaksByGroup();
  return stack.processes().map(({ name, pid }) => ({
    name,
    peakBytes: peaks.get(pid) ?? Number.NaN,
    limitBytes: limits.get(name.replace(/-\d+$/, "")),
  }));
}

/** Returns the memory limits in deploy/kubernetes by container. */
function podLimits(root: string): Map<string, number> {
  const files = readdirSync(join(root, BASE)).filter((name) => name.endsWith(".yaml"));
  const manifests = files.flatMap((name) => parseAllDocuments(readFileSync(join(root, BASE, name), "utf8")));
  const pods = manifests.map((document) => document.toJS() as Manifest).filter(({ kind }) => kind === "Deployment");
  return new Map(
    pods.flatMap(({ spec }) =>
      spec.template.spec.containers.map(({ name, resources }) => {
        const [, amount, unit = ""] = /^(\d+)(\w+)$/.exec(resources.limits.memory) ?? [];
        return [name, Number(amount) * (BYTES[unit] ?? Number.NaN)] as const;
      }),
    ),
  );
}

/**
 * Returns the peak memory per process group; each part is one group. Its processes share the pages of the program file.
 */
function peaksByGroup(): Map<number, number> {
  const peaks = new Map<number, { own: number; shared: number }>();
  for (const pid of readdirSync("/proc").map(Number)) {
    const group = readProcStat(pid)?.group;
    if (group === undefined) continue;
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const kilobytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
      const file = kilobytes("RssFile");
      const { own, shared } = peaks.get(group) ?? { own: 0, shared: 0 };
      peaks.set(group, { own: own + kilobytes("VmHWM") - file, shared: Math.max(shared, file) });
    } catch {
      // The process has ended.
    }
  }
  return new Map([...peaks].map(([group, { own, shared }]) => [group, (own + shared) * 1_024]));
}
