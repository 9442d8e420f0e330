import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "@messageoh/cli/arguments";
import { repoRoot } from "@messageoh/cli/root";
import { startTestDatastores, type TestDatastores } from "../testing/datastores.ts";
import { copyTree } from "./copyTree.ts";
import { type NamedTest, readRules, titlePattern } from "./coverage.ts";
import { MUTATIONS, type Mutation } from "./mutations.ts";
import { findPlaces, readSources } from "./sources.ts";

// npm run mutate violates rules of the specification one by one and checks that the tests in docs/spec-coverage.md fail.
const HELP = `npm run mutate [-- --only TEXT] [--browser]
Applies each patch of tools/src/mutate/mutations.ts to a temporary copy and runs the tests that docs/spec-coverage.md
names for the rule. Exits with 1 if none of them fails for a patch.
  --only TEXT   rules whose name contains this text
  --browser     rules with browser tests instead of jest tests (needs a build and a stack for each)`;
const { values } = readArguments(HELP, {
  options: { only: { type: "string", default: "" }, browser: { type: "boolean", default: false } },
});

type Outcome = { failed: string[]; ran: number; output: string };
type JestReport = { testResults: { assertionResults: { status: string; title: string }[] }[] };

const root = repoRoot();
const copy = mkdtempSync(join(tmpdir(), "messageoh-mutate-"));
let child: ChildProcess | undefined;
let datastores: Promise<TestDatastores> | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    child?.kill(signal);
    void end(130);
  });
}

async function end(code: number): Promise<never> {
  await datastores?.then(({ stop }) => stop()).catch(() => {});
  rmSync(copy, { recursive: true, force: true });
  process.exit(code);
}

/** Starts the datastores once for all runs of jest. */
async function shareDatastores(): Promise<void> {
  datastores = startTestDatastores(availableParallelism());
  const { mongoUrl, redisUrls } = await datastores;
  Object.assign(process.env, { TEST_MONGO_URL: mongoUrl, TEST_REDIS_URLS: redisUrls.join(" ") });
}

function run(command: string, args: string[]): Promise<string> {
  // Without CI, Playwright does not retry a browser test.
  const { CI: _, ...env } = process.env;
  child = spawn(command, args, { cwd: copy, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (output += part));
  return new Promise((done) => child?.on("close", () => done(output)));
}

async function runJest(tests: readonly NamedTest[]): Promise<Outcome> {
  const report = join(copy, "jest-report.json");
  rmSync(report, { force: true });
  const titles = tests.map(({ title }) => `${titlePattern(title)}$`).join("|");
  const files = [...new Set(tests.map(({ file }) => file))];
  const bin = join(copy, "node_modules/.bin/jest");
  const output = await run(bin, [
    "--runTestsByPath",
    ...files,
    "-t",
    titles,
    "--forceExit",
    "--json",
    `--outputFile=${report}`,
  ]);
  if (!existsSync(report)) return { failed: [], ran: 0, output };
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as JestReport;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed").map(({ title }) => title);
  return { failed, ran: results.filter(({ status }) => status === "passed").length + failed.length, output };
}

async function runBrowser(tests: readonly NamedTest[]): Promise<Outcome> {
  const titles = tests.map(({ title }) => titlePattern(title)).join("|");
  const files = [...new Set(tests.map(({ file }) => file.replace(/^e2e\//, "")))];
  const command = ["tools/src/test.ts", "--only", "browser", "--", ...files, "--grep", titles];
  const output = await run(process.execPath, command);
  const marked = (mark: string) =>
    [...output.matchAll(new RegExp(`^ +${mark} .* › (.+?) \\(`, "gm"))].map(([, title = ""]) => title);
  const failed = marked("✘");
  return { failed, ran: failed.length + marked("✓").length, output };
}

async function tryMutation({ rule, find, replace }: Mutation): Promise<Outcome> {
  const [file, ...others] = findPlaces(sources, find);
  if (file === undefined || others.length > 0) throw new Error(`The patch of "${rule}" must match exactly once`);
  const source = sources.get(file) ?? "";
  writeFileSync(
    join(copy, file),
    source.replace(find, () => replace),
  );
  try {
    return await runTests(testsOf(rule));
  } finally {
    writeFileSync(join(copy, file), source);
  }
}

const sources = readSources(root);
const rules = new Map(readRules(root).map((rule) => [rule.name, rule]));
const isSelected = ({ file }: NamedTest) => file.includes(".spec.") === values.browser;
const testsOf = (rule: string) => (rules.get(rule)?.tests ?? []).filter(isSelected);
const runTests = values.browser ? runBrowser : runJest;
const chosen = MUTATIONS.filter(
  ({ rule, browser = false }) => browser === values.browser && rule.includes(values.only),
);

const began = Date.now();
copyTree(root, copy);
if (!values.browser) await shareDatastores();
process.stdout.write(`${chosen.length} patches. The named tests run without a patch first.\n`);
const baseline = await runTests(chosen.flatMap(({ rule }) => testsOf(rule)));
if (baseline.ran === 0 || baseline.failed.length > 0) {
  process.stderr.write(`${baseline.output}\nThese tests fail without a patch: ${baseline.failed.join("; ")}\n`);
  await end(1);
}
const survivors: string[] = [];
for (const mutation of chosen) {
  const { failed, ran, output } = await tryMutation(mutation);
  if (failed.length === 0) survivors.push(mutation.rule);
  const by = [...new Set(failed)].map((title) => `           by: ${title}\n`).join("");
  process.stdout.write(`${failed.length > 0 ? "killed  " : "SURVIVED"} ${mutation.rule}\n${by}`);
  if (ran === 0) process.stdout.write(`${output}\nNo test ran.\n`);
}
const seconds = Math.round((Date.now() - began) / 1_000);
process.stdout.write(`\n${chosen.length - survivors.length} killed, ${survivors.length} survived in ${seconds} s\n`);
await end(survivors.length === 0 ? 0 : 1);
