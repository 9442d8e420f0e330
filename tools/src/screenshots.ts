import { join } from "node:path";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { runShown } from "@messageoh/stack/command/run";
import { findBrowser, findFirefox } from "@messageoh/stack/dependencies/browser";
import { startStackFor } from "@messageoh/stack/stack";

// npm run screenshots saves pictures of every screen and state, in Firefox with BROWSER=firefox.
const root = repoRoot();
const { values } = readOptions("npm run screenshots", {
  only: ["", "PREFIXES", "only scenes whose names begin with one of these, separated by commas"],
  widths: ["390,768,1280", "LIST", "widths of the window; 390x400 is a phone with an open keyboard"],
  schemes: ["light,dark", "LIST", "colour schemes"],
  appearance: ["", "LIST", "choices of the settings, such as direction=rtl,accent=violet"],
  out: [join(root, "screenshots"), "FOLDER", "where the pictures go"],
});
process.env.BCRYPT_COST = "4";
await runCommand("screenshots", async (command) => {
  const browser = await (process.env.BROWSER === "firefox" ? findFirefox : findBrowser)(root);
  const { url } = await startStackFor(command, { raisesLimits: true });
  logProgress(`${url} is ready: taking pictures ...`);
  const args = [
    join(root, "e2e/screenshots/main.ts"),
    ...Object.entries(values).map(([name, value]) => `--${name}=${value}`),
  ];
  return runShown(process.execPath, args, { cwd: root, env: { ...process.env, ...browser, BASE_URL: url } });
});
