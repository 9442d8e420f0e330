import type { ProcessEntry } from "@messageoh/stack/processes/part";
import type { Connection } from "../../client/wire.ts";

/** A running system under load. */
export interface Target {
  name: string;
  /** Processes whose CPU time the report shows. */
  processes: () => ProcessEntry[];
  /** Highest steady rate that the target carries, in messages per second (default: any). */
  perSecondMax?: number;
  /** Connects `count` users in pairs. Partners are on different instances if there are several. */
  connect: (count: number) => Promise<Connection[]>;
  stop: () => Promise<void>;
}
