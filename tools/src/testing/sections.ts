import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunShownOptions, runShown } from "@messageoh/stack/command/run";
import { bin, readJson, remarksOn, withTempDir, withToolFailure } from "./bin.ts";
import { runBrowser, runFirefox, runWebKit } from "./browser.ts";
import type { Count } from "./checks.ts";

/** A section of `npm test`. `args` are passed to its tool as a filter; `isOnly` if no other section runs. */
export type Section = { name: string; run: (root: string, args: string[], isOnly: boolean) => Promise<Count> };

/** The sections in order. Those of one line run at the same time, because they often wait. */
export const SECTIONS: Section[][] = [
  [
    { name: "lint", run: (root) => lint(root, ".") },
    {
      name: "types",
      run: (root) => typecheck(root, "tsconfig.node.json", "tsconfig.web.json", "tsconfig.worker.json"),
    },
  ],
  [{ name: "jest", run: (root, args) => runJest(root, args) }],
  [{ name: "browser", run: runBrowser }],
  [
    { name: "firefox", run: runFirefox },
    { name: "webkit", run: runWebKit },
  ],
  [
    { name: "cluster", run: runCluster },
    { name: "fuzz", run: runFuzz },
    { name: "chaos", run: runChaos },
  ],
  [{ name: "docker", run: runDocker }],
];

/** The sections of one workspace, for `npm test -- --only mfe-chat`: fast checks without other workspaces. */
export function workspaceSections(workspace: string): Section[] {
  const configs = WEB_WORKSPACES.includes(workspace) ? ["tsconfig.web.json"] : ["tsconfig.node.json"];
  if (workspace === "shell") configs.push("tsconfig.worker.json");
  const name = workspace.replace("packages/", "");
  return [
    { name: "lint", run: (root) => lint(root, workspace) },
    { name: "types", run: (root) => typecheck(root, ...configs) },
    { name: "jest", run: (root, args) => runJest(root, [...args, "--selectProjects", name]) },
  ];
}

const WEB_WORKSPACES = ["packages/ui-kit", "shell", "mfe-auth", "mfe-chat"];

const asCount = (code: number): Count => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });

const lint = async (root: string, path: string) =>
  asCount(await bin(root, "biome", ["check", path], { label: "lint" }));

async function typecheck(root: string, ...configs: string[]): Promise<Count> {
  const total = { passed: 0, failed: 0 };
  for (const config of configs) {
    const { passed, failed } = asCount(await bin(root, "tsc", ["-p", config], { label: "types" }));
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

/** Runs the tests of order, presence, limits and push on a Redis Cluster of three nodes. */
function runCluster(root: string, args: string[]): Promise<Count> {
  const projects = ["--selectProjects", "svc-realtime", "tools"];
  const paths = ["--testPathPatterns", "order|presence|limits/|testing/push"];
  return runJest(root, [...projects, ...paths, ...args], { env: { REDIS_NODES: "3" }, label: "cluster" });
}

async function runJest(root: string, args: string[], options: RunShownOptions = {}): Promise<Count> {
  return withTempDir(async (dir) => {
    const report = join(dir, "jest.json");
    const code = await bin(root, "jest", ["--json", `--outputFile=${report}`, ...args], options);
    const results = await readJson(report);
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    return withToolFailure(code, { passed: numPassedTests, failed, remarks: remarksOn(results) });
  });
}

/** Faults of the short form of chaos. */
const SHORT_FAULTS = [
  "kill a realtime instance",
  "drain a realtime instance",
  "freeze a realtime instance",
  "kill a messages instance",
  "lose a zone, its MongoDB member returns from a backup",
  "kill the MongoDB primary",
  "freeze Redis",
  "cut off a third of the clients",
];

/** Runs a short form of chaos. */
async function runChaos(root: string, args: string[]): Promise<Count> {
  const users = "--users 8 --reach 2 --rate 16 --crowd 6 --crowd-rate 12".split(" ");
  const load = "--minutes 0.4 --actions 2 --fault-every 3 --seed 1".split(" ");
  const faults = SHORT_FAULTS.flatMap((name) => ["--only", name]);
  const main = join(root, "system-tests/chaos/main.ts");
  const options = { cwd: root, label: "chaos" };
  return asCount(await runShown(process.execPath, [main, ...users, ...load, ...faults, ...args], options));
}

/** Runs a short form of fuzz without stalled connections, whose timeouts take half a minute. */
async function runFuzz(root: string, args: string[]): Promise<Count> {
  const short = "--requests 1000 --events 600 --frames 200 --texts 500 --stalled 0 --waves 1".split(" ");
  const main = join(root, "system-tests/fuzz/main.ts");
  return asCount(await runShown(process.execPath, [main, ...short, ...args], { cwd: root, label: "fuzz" }));
}

/** Runs the container tests if a Docker engine is available. */
async function runDocker(root: string): Promise<Count> {
  return withTempDir(async (dir) => {
    const report = join(dir, "docker.json");
    const main = join(root, "tools/src/docker/test/main.ts");
    const code = await runShown(process.execPath, [main, "--report", report], { cwd: root });
    const count = existsSync(report) ? (JSON.parse(await readFile(report, "utf8")) as Count) : asCount(1);
    return count.notRun ? count : withToolFailure(code, count);
  });
}
