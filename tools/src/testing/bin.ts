import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type RunShownOptions, runShown } from "@messageoh/stack/command/run";
import type { Count } from "./checks.ts";

/** Runs an installed tool with this version of Node and its output on the terminal. Returns the exit code. */
export function bin(root: string, name: string, args: string[], options: RunShownOptions = {}): Promise<number> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...options.env, PATH: path };
  return runShown(join(root, "node_modules/.bin", name), args, { cwd: root, ...options, env });
}

/** The JSON reports of jest and Playwright. */
export type Report = {
  numPassedTests?: number;
  numFailedTests?: number;
  numRuntimeErrorTestSuites?: number;
  testResults?: { assertionResults: { fullName: string; status: string; invocations?: number }[] }[];
  stats?: { expected?: number; unexpected?: number; flaky?: number };
  suites?: Suite[];
};

type Suite = { suites?: Suite[]; specs: { title: string; tests: PlaywrightTest[] }[] };

type PlaywrightTest = {
  status: string;
  results?: { error?: { message?: string; location?: { file: string; line: number } } }[];
};

/** Returns a line for each test that failed, or passed only on retry. */
export function remarksOn({ testResults = [], suites = [] }: Report): string[] {
  const ofJest = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ status, fullName, invocations = 1 }) => {
      if (status === "failed") return `failed: ${fullName}`;
      return status === "passed" && invocations > 1 ? `flaky: ${fullName}` : [];
    });
  return [...ofJest, ...suites.flatMap(remarksOnSuite)];
}

function remarksOnSuite({ suites = [], specs }: Suite): string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap((test) => {
      if (test.status === "unexpected") return `failed: ${title}${placeOfFailure(test)}`;
      return test.status === "flaky" ? `flaky: ${title}${placeOfFailure(test)}` : [];
    }),
  );
  return [...own, ...suites.flatMap(remarksOnSuite)];
}

/** Returns where the first attempt failed, and what it expected. */
function placeOfFailure({ results = [] }: PlaywrightTest): string {
  const { message = "", location } = results.flatMap(({ error }) => error ?? [])[0] ?? {};
  const [sentence = ""] = stripVTControlCharacters(message).split("\n");
  return location ? ` (${basename(location.file)}:${location.line}: ${sentence})` : "";
}

/** Runs `work` with a temporary folder, which is removed afterwards. */
export async function withTempDir<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "messageoh-test-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Returns the report of a tool; empty if there is none. */
export async function readJson(file: string): Promise<Report> {
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Report) : {};
}

/** Counts a tool that fails without a failed test, or runs no test, as a failure. */
export function withToolFailure(code: number, count: Count): Count {
  const isToolFailure = count.failed === 0 && (code !== 0 || count.passed === 0);
  return isToolFailure ? { ...count, failed: 1 } : count;
}
