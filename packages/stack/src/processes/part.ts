/** A process of a stack. */
export type Part = {
  /** The name in processes.json and of the log file. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  port: number;
  /** Parts of a lower stage stop first; parts of the same stage stop together. */
  stage: number;
  /** Signal that stops the process (default: SIGTERM). */
  stopSignal?: NodeJS.Signals;
  /** Time to stop in ms, after which the process is killed. */
  graceMs?: number;
  ready: () => Promise<boolean>;
  /**
   * Returns whether the process runs, even if it is not ready. A part with this check is restarted when it is frozen;
   * one without, such as a datastore, is only restarted when it exits.
   */
  alive?: () => Promise<boolean>;
};

/** An entry of processes.json. */
export type ProcessEntry = { name: string; pid: number; port: number };

/** A process group with the way to stop it. */
export type Group = { pid: number; stage: number; signal: NodeJS.Signals; graceMs: number };

/** The order in which a stack stops: connections drain first, MongoDB stops last. */
export const STAGE = { realtime: 0, gateway: 1, messages: 2, media: 2, users: 3, dependency: 4, storage: 5 } as const;
