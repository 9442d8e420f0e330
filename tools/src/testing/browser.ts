import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { type Stack, startStack } from "@messageoh/stack/stack";
import type { Count } from "./count.ts";
import { runPlaywright } from "./playwright.ts";

let browserStacks: Promise<Stack>[] = [];

/** Stops the stacks of the browser tests, also while they start. */
export async function stopBrowserStacks(): Promise<void> {
  await Promise.all(browserStacks.map((starting) => starting.then((stack) => stack.stop()).catch(() => {})));
}

/** Runs all browser tests against two stacks, or those that `args` select against one. */
export async function runBrowser(root: string, args: string[]): Promise<Count> {
  const browser = await findBrowser(root);
  // Fast hashing, because the tests register a hundred users.
  process.env.BCRYPT_COST ??= "4";
  // The tests that arguments select run one after the other, on one stack.
  const names = args.length > 0 ? ["browser"] : ["browser", "browser-spare"];
  const dirs = await Promise.all(names.map((name) => mkdtemp(join(tmpdir(), `messageoh-${name}-`))));
  let failed = true;
  try {
    browserStacks = dirs.map((dataDir) => startStack({ dataDir, messagesInstances: 2, raisesLimits: true }));
    const [shared, spare] = await Promise.all(browserStacks);
    const count = await runPlaywright(
      root,
      {
        ...browser,
        BASE_URL: shared?.url,
        DATA_DIR: shared?.dataDir,
        ...(spare ? { SPARE_BASE_URL: spare.url, SPARE_DATA_DIR: spare.dataDir } : {}),
      },
      args,
    );
    failed = count.failed > 0;
    return count;
  } finally {
    await stopBrowserStacks();
    for (const dir of dirs) {
      if (failed) process.stdout.write(`The logs of a stack are in ${join(dir, "logs")}\n`);
      else await rm(dir, { recursive: true, force: true });
    }
  }
}
