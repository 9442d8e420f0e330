import type { Supervisor } from "../processes/supervisor.ts";

/** Where an engine's processes belong. */
export type EngineContext = {
  supervisor: Supervisor;
  /** Holds the engine's data and survives a restart. */
  dataDir: string;
  /** The loopback port for a part of this name. */
  portFor: (name: string) => Promise<number>;
  /** Whether data must survive a power cut: not so in tests, which are faster without. */
  durable: boolean;
};

/** A running engine: its address and the names of its processes, none when the server is somebody else's. */
export type Engine = { url: string; processes: string[] };
