import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { runShown } from "@messageoh/cli/run";
import type { Count } from "./count.ts";

/** Runs an installed tool with its output shown, on this Node; answers its exit code. */
export function bin(
  root: string,
  name: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...options.env, PATH: path };
  return runShown(join(root, "node_modules/.bin", name), args, { cwd: options.cwd ?? root, env });
}

/** What the tools report, as far as it is read here. */
export type Report = {
  numPassedTests?: number;
  numFailedTests?: number;
  numRuntimeErrorTestSuites?: number;
  stats?: { expected?: number; unexpected?: number; flaky?: number };
};

/** A tool's report; empty when it wrote none. */
export async function readJson(file: string): Promise<Report> {
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Report) : {};
}

/** A tool that failed without a failed test, or found no test at all, is a failure too. */
export function settled(code: number, count: Count): Count {
  const silent = count.failed === 0 && (code !== 0 || count.passed === 0);
  return silent ? { ...count, failed: 1 } : count;
}
