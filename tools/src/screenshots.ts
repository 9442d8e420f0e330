import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatError, logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { runShown } from "@messageoh/cli/run";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { type Stack, startStack } from "@messageoh/stack/stack";

// npm run screenshots saves pictures of every screen and state in screenshots/. For options see e2e/screenshots/main.ts.
const root = repoRoot();
const dataDir = await mkdtemp(join(tmpdir(), "messageoh-screenshots-"));
process.env.BCRYPT_COST = "4";
let stack: Stack | undefined;
const aborter = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(130));

async function end(code: number): Promise<never> {
  aborter.abort();
  await stack?.stop().catch(() => {});
  await rm(dataDir, { recursive: true, force: true });
  process.exit(code);
}

try {
  const browser = await findBrowser(root);
  stack = await startStack({ dataDir, raisesLimits: true, signal: aborter.signal });
  logProgress(`${stack.url} is ready: taking pictures ...`);
  const args = [join(root, "e2e/screenshots/main.ts"), ...process.argv.slice(2)];
  const env = { ...process.env, ...browser, BASE_URL: stack.url };
  await end(await runShown(process.execPath, args, { cwd: root, env }));
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  await end(1);
}
