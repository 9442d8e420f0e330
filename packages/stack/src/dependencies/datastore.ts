import type { Supervisor } from "../processes/supervisor.ts";

/** Dependencies of the functions that start a datastore. */
export type DatastoreContext = {
  supervisor: Supervisor;
  /** Holds the data and survives a restart. */
  dataDir: string;
  /** Returns the loopback port for a process of this name. */
  portFor: (name: string) => Promise<number>;
};
