import type { Supervisor } from "../processes/supervisor.ts";

/** What starting a datastore needs. */
export type DatastoreContext = {
  supervisor: Supervisor;
  /** Holds the data and survives a restart. */
  dataDir: string;
  /** Returns the loopback port for a part of this name. */
  portFor: (name: string) => Promise<number>;
};
