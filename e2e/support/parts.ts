import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Sends a signal to a process of the stack by its name in processes.json. */
export function signalPart(name: string, signal: NodeJS.Signals): void {
  const dataDir = process.env.DATA_DIR;
  if (!dataDir) throw new Error("DATA_DIR must name the data folder of the stack under test");
  const parts = JSON.parse(readFileSync(join(dataDir, "processes.json"), "utf8")) as { name: string; pid: number }[];
  const part = parts.find((candidate) => candidate.name === name);
  // A process that restarts is not listed.
  if (part) process.kill(part.pid, signal);
}
