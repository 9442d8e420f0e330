import type { Stack } from "@messageoh/stack/stack";
import type { Disks } from "../disks/disks.ts";
import type { Links } from "../links/links.ts";
import type { Random } from "../random.ts";

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
