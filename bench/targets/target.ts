import type { ProcessEntry } from "../../tools/src/processes/part.ts";
import type { Connection } from "../load/wire.ts";

/** A running system under load. */
export interface Target {
  name: string;
  /** Its processes, by the name under which their CPU time is shown. */
  processes: () => ProcessEntry[];
  /** Names of processes that belong to its database. */
  database: readonly string[];
  /** `count` people's connections, each writing to its neighbour, who is on another instance where there are several. */
  connect: (count: number) => Promise<Connection[]>;
  stop: () => Promise<void>;
}
