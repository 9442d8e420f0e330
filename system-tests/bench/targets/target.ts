import type { ProcessEntry } from "@messageoh/stack/processes/part";
import type { Connection } from "../../client/wire.ts";

/** A running system under load. */
export interface Target {
  name: string;
  /** Its processes, by the name under which their CPU time is shown. */
  processes: () => ProcessEntry[];
  /** Messages per second at which its latency is measured. */
  rates: readonly number[];
  /** Connects `count` users. Each writes to its neighbour, who is on another instance if there are several. */
  connect: (count: number) => Promise<Connection[]>;
  stop: () => Promise<void>;
}
