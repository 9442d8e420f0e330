import { until } from "@messageoh/stack/ports";
import type { Stack } from "@messageoh/stack/stack";
import type { Disks } from "../disks/disks.ts";
import type { Links } from "../links/links.ts";
import type { Random } from "../random.ts";

const STEP_MAX_MS = 120_000;

export interface Fault {
  name: string;
  /** Injects the fault; resolves when a temporary fault is over. The supervisor restarts killed processes. */
  inject: () => Promise<void> | void;
}

/** Dependencies of the faults. */
export interface FaultContext {
  stack: Stack;
  links: Links;
  disks: Disks;
  world: { clients: readonly { cut: () => void }[] };
  random: Random;
}

/** Waits until a step of a fault succeeds, which other faults may delay. Rejects after two minutes. */
export async function succeeds(what: string, step: () => Promise<boolean>): Promise<void> {
  if (!(await until(() => step().catch(() => false), STEP_MAX_MS, 200))) throw new Error(`It is not true that ${what}`);
}
