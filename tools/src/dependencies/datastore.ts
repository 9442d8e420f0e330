import type { Supervisor } from "../processes/supervisor.ts";

/** Where a datastore's processes belong. */
export type DatastoreContext = {
  supervisor: Supervisor;
  /** Holds the data and survives a restart. */
  dataDir: string;
  /** The loopback port for a part of this name. */
  portFor: (name: string) => Promise<number>;
};
