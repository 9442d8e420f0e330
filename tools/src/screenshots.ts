import { join } from "node:path";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { runShown } from "@messageoh/stack/command/run";
import { findBrowser, findFirefox } from "@messageoh/stack/dependencies/browser";
import { startStackFor } from "@messageoh/stack/stack";

// npm run screenshots saves pictures of every screen and state in screenshots/. For options see e2e/screenshots/main.ts.
process.env.BCRYPT_COST = "4";
await runCommand("screenshots", async (command) => {
  const root = repoRoot();
  const browser = await (process.env.BROWSER === "firefox" ? findFirefox : findBrowser)(root);
  const { url } = await startStackFor(command, { raisesLimits: true });
  logProgress(`${url} is ready: taking pictures ...`);
  const args = [join(root, "e2e/screenshots/main.ts"), ...process.argv.slice(2)];
  return runShown(process.execPath, args, { cwd: root, env: { ...process.env, ...browser, BASE_URL: url } });
});
