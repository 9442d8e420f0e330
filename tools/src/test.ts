import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exitWithUsage, readArguments } from "@messageoh/stack/command/arguments";
import { cacheDir } from "@messageoh/stack/command/cache";
import { formatError } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { stopBrowserStacks } from "./testing/browser.ts";
import type { Count } from "./testing/checks.ts";
import { SECTIONS, type Section, workspaceSections } from "./testing/sections.ts";

// npm test runs all sections. `npm test -- --only jest svc-users` runs one section with a filter,
// `npm test -- --only mfe-chat` runs lint, types and jest of one workspace.
const NAMES = Array.from(SECTIONS.flat(), ({ name }) => name).join(", ");
const { workspaces } = JSON.parse(readFileSync(join(repoRoot(), "package.json"), "utf8")) as { workspaces: string[] };
const HELP = `npm test -- [--only SECTION|WORKSPACE [ARGUMENTS]]
  --only SECTION     one of ${NAMES}, with ARGUMENTS as a filter
  --only WORKSPACE   lint, types and jest of one of ${workspaces.join(", ")}`;
const { values, positionals } = readArguments(HELP, { options: { only: { type: "string" } }, allowPositionals: true });
const workspace = workspaces.find((path) => path === values.only || path === `packages/${values.only}`);
const selected = workspace ? workspaceSections(workspace) : SECTIONS.flat().filter(({ name }) => name === values.only);
const chosen = values.only === undefined ? SECTIONS : selected.map((section) => [section]);
if (chosen.length === 0) exitWithUsage(HELP, `--only takes one of ${NAMES} or a workspace, not ${values.only}`);

// Tests start a hundred short processes, which share compiled code.
process.env.NODE_COMPILE_CACHE ??= join(cacheDir(), "node");

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    void stopBrowserStacks().finally(() => process.exit(130));
  });
}

const total = { passed: 0, failed: 0 };
const summary: string[] = [];
async function runSection({ name, run }: Section) {
  const began = Date.now();
  const isOnly = values.only !== undefined;
  const count: Count = await run(repoRoot(), isOnly ? positionals : [], isOnly).catch((error: unknown) => {
    process.stderr.write(`${formatError(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const outcome = count.notRun ? `NOT RUN: ${count.notRun}` : `${count.passed} of ${count.passed + count.failed}`;
  const verdict = count.notRun ? "-     " : count.failed === 0 ? "ok    " : "FAILED";
  summary.push(`${name.padEnd(8)} ${verdict} ${outcome} in ${seconds} s`);
  for (const remark of count.remarks ?? []) summary.push(`         ${remark}`);
}

for (const sections of chosen) {
  process.stdout.write(`\n=== ${sections.map(({ name }) => name).join(", ")} ===\n`);
  await Promise.all(sections.map(runSection));
}
process.stdout.write(`\n${summary.join("\n")}\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);
