import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import { test } from "@playwright/test";

/** Returns a path in the data folder of the stack under test. */
export function inDataDir(...path: string[]): string {
  const { dataDir } = test.info().project.metadata;
  if (!dataDir) throw new Error("DATA_DIR must name the data folder of the stack under test");
  return join(dataDir, ...path);
}

/** Returns the running processes of the stack whose names begin with `name`. */
export function partsOf(name: string): ProcessEntry[] {
  const parts = JSON.parse(readFileSync(inDataDir("processes.json"), "utf8")) as ProcessEntry[];
  return parts.filter((part) => part.name.startsWith(name));
}

/** Sends a signal to a process of the stack by its name. A process that restarts is not listed. */
export function signalPart(name: string, signal: NodeJS.Signals): void {
  const part = partsOf(name).find((one) => one.name === name);
  if (!part) throw new Error(`No process has the name ${name}`);
  process.kill(part.pid, signal);
}
