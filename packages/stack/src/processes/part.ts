/** One process of a running stack, described so that it can be started, watched, restarted and ended. */
export type Part = {
  /** Its name in processes.json and of its log file. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  port: number;
  /** Parts of a lower stage are ended first; those of one stage together. */
  stage: number;
  /** Asks it to end: SIGTERM unless told. */
  stopSignal?: NodeJS.Signals;
  /** How long it may take to end before it is killed. */
  graceMs?: number;
  ready: () => Promise<boolean>;
};

/** What processes.json says of each part. */
export type ProcessEntry = { name: string; pid: number; port: number };

/** A process group that somebody has to end. */
export type Group = { pid: number; stage: number; signal: NodeJS.Signals; graceMs: number };

/** Stages in which a stack ends: connections are drained first, and MongoDB stops last. */
export const STAGE = { realtime: 0, gateway: 1, messages: 2, users: 3, dependency: 4, storage: 5 } as const;
