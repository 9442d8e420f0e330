import { rmSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "@messageoh/stack/command/arguments";
import { type Command, runCommand } from "@messageoh/stack/command/command";
import { repoRoot } from "@messageoh/stack/command/root";
import { type NamedTest, readRules, titlePattern } from "../specification/rules.ts";
import { startTestDatastores } from "../testing/datastores.ts";
import { TEST_WORKERS } from "../testing/workers.ts";
import { BrokenCopy } from "./brokenCopy.ts";
import { readMutations } from "./mutations.ts";

// npm run mutate violates rules of the specification one by one and checks that the tests in docs/spec-coverage.md
// fail. It applies each patch of mutations.yaml to a temporary copy, and exits with 1 if no test fails for a patch.
const { values } = readOptions("npm run mutate", {
  only: ["", "TEXT", "rules whose name contains this text"],
  browser: [false, "", "rules with browser tests instead of jest tests (needs a build and a stack for each)"],
});

type Outcome = { failed: string[]; ran: number; output: string };
type JestReport = { testResults: { assertionResults: { status: string; title: string }[] }[] };

await runCommand("mutate", mutate);

async function mutate(command: Command): Promise<number> {
  const root = repoRoot();
  const rules = new Map(readRules(root).map((rule) => [rule.name, rule]));
  const isSelected = ({ file }: NamedTest) => file.includes(".spec.") === values.browser;
  const testsOf = (rule: string) => (rules.get(rule)?.tests ?? []).filter(isSelected);
  const chosen = readMutations(root).filter(
    ({ rule, browser = false }) => browser === values.browser && rule.includes(values.only),
  );
  const began = Date.now();
  const copy = new BrokenCopy(root, command);
  if (!values.browser) await shareDatastores(command);
  const runTests = (tests: readonly NamedTest[]) => (values.browser ? runBrowser : runJest)(copy, tests);
  process.stdout.write(`${chosen.length} patches. The named tests run without a patch first.\n`);
  const baseline = await runTests(chosen.flatMap(({ rule }) => testsOf(rule)));
  if (baseline.ran === 0 || baseline.failed.length > 0) {
    process.stderr.write(`${baseline.output}\nThese tests fail without a patch: ${baseline.failed.join("; ")}\n`);
    return 1;
  }
  const survivors: string[] = [];
  for (const mutation of chosen) {
    const { failed, ran, output } = await copy.patched(mutation, () => runTests(testsOf(mutation.rule)));
    if (failed.length === 0) survivors.push(mutation.rule);
    const by = [...new Set(failed)].map((title) => `           by: ${title}\n`).join("");
    process.stdout.write(`${failed.length > 0 ? "killed  " : "SURVIVED"} ${mutation.rule}\n${by}`);
    if (ran === 0) process.stdout.write(`${output}\nNo test ran.\n`);
  }
  const seconds = Math.round((Date.now() - began) / 1_000);
  process.stdout.write(`\n${chosen.length - survivors.length} killed, ${survivors.length} survived in ${seconds} s\n`);
  return survivors.length === 0 ? 0 : 1;
}

/** Starts the datastores once for all runs of jest. */
async function shareDatastores({ atEnd }: Command): Promise<void> {
  const starting = startTestDatastores(TEST_WORKERS);
  atEnd(() => starting.then(({ stop }) => stop()));
  const { mongoUrl, redisUrls } = await starting;
  Object.assign(process.env, { TEST_MONGO_URL: mongoUrl, TEST_REDIS_URLS: redisUrls.join(" ") });
}

function run(copy: BrokenCopy, command: string, args: string[]): Promise<string> {
  // Without CI, Playwright does not retry a browser test.
  const { CI: _, ...env } = process.env;
  return copy.run(command, args, env);
}

async function runJest(copy: BrokenCopy, tests: readonly NamedTest[]): Promise<Outcome> {
  const report = "jest-report.json";
  rmSync(join(copy.dir, report), { force: true });
  const titles = tests.map(({ title }) => `${titlePattern(title)}$`).join("|");
  const files = [...new Set(tests.map(({ file }) => file))];
  const selection = ["--runTestsByPath", ...files, "-t", titles];
  const output = await run(copy, join(copy.dir, "node_modules/.bin/jest"), [
    ...selection,
    "--forceExit",
    "--json",
    `--outputFile=${join(copy.dir, report)}`,
  ]);
  const results = (copy.readJson<JestReport>(report)?.testResults ?? []).flatMap(
    ({ assertionResults }) => assertionResults,
  );
  const failed = results.filter(({ status }) => status === "failed").map(({ title }) => title);
  return { failed, ran: results.filter(({ status }) => status === "passed").length + failed.length, output };
}

async function runBrowser(copy: BrokenCopy, tests: readonly NamedTest[]): Promise<Outcome> {
  const titles = tests.map(({ title }) => titlePattern(title)).join("|");
  const files = [...new Set(tests.map(({ file }) => file.replace("system-tests/browser/", "")))];
  const command = ["tools/src/test.ts", "--only", "browser", "--", ...files, "--grep", titles];
  const output = await run(copy, process.execPath, command);
  const marked = (mark: string) =>
    [...output.matchAll(new RegExp(`^ +${mark} .* › (.+?) \\(`, "gm"))].map(([, title = ""]) => title);
  const failed = marked("✘");
  return { failed, ran: failed.length + marked("✓").length, output };
}
