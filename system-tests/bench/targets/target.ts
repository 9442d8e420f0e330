import type { ProcessEntry } from "@messageoh/stack/processes/part";
import type { Connection } from "../../client/wire.ts";

/** A running system under load. */
export interface Target {
  name: string;
  /** Processes whose CPU time the report shows. */
  processes: () => ProcessEntry[];
  /** Rates of the latency measurements, in messages per second. */
  rates: readonly number[];
  /** Connects `count` users in pairs. Partners are on different instances if there are several. */
  connect: (count: number) => Promise<Connection[]>;
  stop: () => Promise<void>;
}
