import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser, findFirefox } from "@messageoh/stack/dependencies/browser";
import { findVersitygw } from "@messageoh/stack/dependencies/versitygw";
import { findWebKit } from "@messageoh/stack/dependencies/webkit";
import { type Stack, type StackOptions, startStack } from "@messageoh/stack/stack";
import type { Count } from "./checks.ts";
import { runPlaywright } from "./playwright.ts";

/** The parts of a stack that differ. The journeys in Firefox and WebKit need one instance of each service. */
type Parts = Pick<StackOptions, "s3" | "messagesInstances" | "realtimeInstances">;

/** The spec files that run in Firefox as a part of all sections: those that depend most on what the browser does. */
const FIREFOX_JOURNEYS = [
  ...["journeys/by-the-specification", "accessibility/keyboard", "home/search", "offline/opening"],
  ...["thread/attachments", "thread/changes", "thread/drafts", "thread/realtime"],
];

/** The stacks of all sections, also while they start. */
const browserStacks: Promise<Stack>[] = [];

/** Stops the stacks of the browser tests. */
export const stopBrowserStacks = (): Promise<void> => stopAll(browserStacks);

async function stopAll(stacks: readonly Promise<Stack>[]): Promise<void> {
  await Promise.all(stacks.map((starting) => starting.then((stack) => stack.stop()).catch(() => {})));
}

/**
 * Runs all browser tests in Chromium against two stacks; or those that `args` select against one stack. Their files are
 * in S3 if the machine has an S3 server; those of the tests in Firefox are in a folder.
 */
export async function runBrowser(root: string, args: string[]): Promise<Count> {
  const browser = await findBrowser(root);
  const s3 = (await findVersitygw()) ? "own" : undefined;
  if (!s3)
    process.stdout.write("NOT RUN: browser tests with files in S3, because neither versitygw nor Go is installed\n");
  return runAgainstStacks(root, browser, args, { stacks: args.length > 0 ? 1 : 2, s3, messagesInstances: 2 });
}

/**
 * Runs browser tests in Firefox: the journeys as a part of all sections, all tests if only this section runs, or those
 * that `args` select.
 */
export async function runFirefox(root: string, args: string[], isOnly: boolean): Promise<Count> {
  const browser = { BROWSER: "firefox", ...(await findFirefox(root)) };
  if (isOnly) return runAgainstStacks(root, browser, args, { stacks: args.length > 0 ? 1 : 2, messagesInstances: 2 });
  const journeys = [...FIREFOX_JOURNEYS, "--workers", "3"];
  return runAgainstStacks(root, browser, journeys, { label: "firefox", realtimeInstances: 1 });
}

/** Runs the journeys in WebKitGTK if the machine has it or may mount Debian's packages. */
export async function runWebKit(root: string, args: string[]): Promise<Count> {
  const command = await findWebKit();
  if (!command)
    return { passed: 0, failed: 0, notRun: "WebKitGTK is neither installed nor may its packages be mounted" };
  const env = { WEBKIT_COMMAND: JSON.stringify(command) };
  return runAgainstStacks(root, env, ["--config", "webkit", ...args], { label: "webkit", realtimeInstances: 1 });
}

async function runAgainstStacks(
  root: string,
  browser: NodeJS.ProcessEnv,
  args: string[],
  { stacks = 1, label, ...parts }: { stacks?: 1 | 2; label?: string } & Parts,
): Promise<Count> {
  // Fast hashing, because the tests register a hundred users.
  process.env.BCRYPT_COST ??= "4";
  // The web sites of tests of link previews.
  process.env.PREVIEW_HOSTS_ALLOWED ??= "localhost";
  // The tests that arguments select run one after the other, on one stack.
  const names = ["browser", "browser-spare"].slice(0, stacks);
  const dirs = await Promise.all(names.map((name) => mkdtemp(join(tmpdir(), `messageoh-${name}-`))));
  let failed = true;
  const starting = dirs.map((dataDir) => startStack({ dataDir, raisesLimits: true, ...parts }));
  browserStacks.push(...starting);
  try {
    const [shared, spare] = await Promise.all(starting);
    const count = await runPlaywright(
      root,
      {
        ...browser,
        BASE_URL: shared?.url,
        DATA_DIR: shared?.dataDir,
        ...(spare ? { SPARE_BASE_URL: spare.url, SPARE_DATA_DIR: spare.dataDir } : {}),
      },
      args,
      label,
    );
    failed = count.failed > 0;
    return count;
  } finally {
    await stopAll(starting);
    for (const dir of dirs) {
      if (failed) process.stdout.write(`The logs of a stack are in ${join(dir, "logs")}\n`);
      else await rm(dir, { recursive: true, force: true });
    }
  }
}
