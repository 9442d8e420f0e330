import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { copyTree } from "tools/mutate/copyTree";
import { findPlaces, readSources } from "tools/mutate/sources";
import type { CheckResult } from "../checker/checks.ts";
import { BREAKAGES, type Breakage } from "./breakages.ts";

const SHORT = [
  "--minutes",
  "0.25",
  "--users",
  "4",
  "--reach",
  "1",
  "--rate",
  "12",
  "--actions",
  "1",
  "--fault-every",
  "3",
  "--crowd",
  "0",
];
/** Waiting in vain for what a breakage prevents would only take time. */
const PATIENCE = ["--patience", "2"];

/** Breaks the product in each way whose name contains `name` and checks that a run notices. Returns the exit code. */
export async function runBreakages(name: string): Promise<number> {
  const chosen = BREAKAGES.filter((breakage) => breakage.name.includes(name));
  const root = repoRoot();
  const sources = readSources(root);
  const copy = mkdtempSync(join(tmpdir(), "messageoh-breakages-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  copyTree(root, copy);
  const unnoticed: string[] = [];
  for (const breakage of chosen) {
    const results = await runBroken(copy, sources, breakage);
    const violated = results.filter(({ violations }) => violations > 0).map((result) => result.name);
    const isCaught = violated.includes(breakage.check);
    if (!isCaught) unnoticed.push(breakage.name);
    const others = violated.filter((check) => check !== breakage.check);
    process.stdout.write(
      `${isCaught ? "caught    " : "UNNOTICED "} ${breakage.name}\n` +
        `           by: ${breakage.check}${others.length > 0 ? `; also: ${others.join(", ")}` : ""}\n`,
    );
  }
  process.stdout.write(`\n${chosen.length - unnoticed.length} of ${chosen.length} breakages were caught\n`);
  return unnoticed.length === 0 && chosen.length > 0 ? 0 : 1;
}

async function runBroken(
  copy: string,
  sources: ReadonlyMap<string, string>,
  breakage: Breakage,
): Promise<CheckResult[]> {
  const { find, replace, faults = [], load = [] } = breakage;
  const [file, ...others] = findPlaces(sources, find);
  if (file === undefined || others.length > 0) throw new Error(`"${breakage.name}" must match exactly once`);
  const source = sources.get(file) ?? "";
  const json = join(copy, "chaos.json");
  rmSync(json, { force: true });
  writeFileSync(
    join(copy, file),
    source.replace(find, () => replace),
  );
  const only =
    faults.length > 0
      ? faults.flatMap((fault) => ["--only", fault])
      : ["--small", "--fault-every", "0", "--minutes", "0.1"];
  const output = await runNode(copy, [
    "system-tests/chaos/main.ts",
    ...SHORT,
    ...only,
    ...load,
    ...PATIENCE,
    "--json",
    json,
  ]);
  writeFileSync(join(copy, file), source);
  try {
    return (JSON.parse(readFileSync(json, "utf8")) as { checks: CheckResult[] }).checks;
  } catch {
    process.stdout.write(`${output}\nThe run of "${breakage.name}" wrote no results.\n`);
    return [];
  }
}

/** Runs a program of the copy and resolves with its output. A signal ends it first, then this process. */
function runNode(cwd: string, args: string[]): Promise<string> {
  // The logs of a failed run are of no use here.
  const env = { ...process.env, TMPDIR: cwd };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => {
    child.once("close", () => process.exit(130));
    child.kill("SIGTERM");
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  return new Promise((done) =>
    child.once("close", () => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      done(output);
    }),
  );
}
