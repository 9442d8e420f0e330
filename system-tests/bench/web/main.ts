import { writeFile } from "node:fs/promises";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { startStackFor } from "@messageoh/stack/stack";
import { BROWSER_NAMES, type BrowserName, launchBrowser } from "./browser.ts";
import { measureInteraction } from "./interaction.ts";
import { measureOpening } from "./opening.ts";
import { measureScores } from "./scores.ts";
import { type Crowd, seedCrowd } from "./seed.ts";
import type { StorageState, Visitor } from "./visitor.ts";

// npm run bench:web measures the front ends in a browser.
const { values, reject } = readOptions("npm run bench:web", {
  rounds: [5, "N", "rounds"],
  browser: ["chromium", "NAME", "chromium or firefox, which has no Lighthouse"],
  slowdown: [1, "N", "makes interaction in Chromium N times slower"],
  only: [undefined, "WHAT", "opening, interaction or scores (Lighthouse); default: all"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});
if (!BROWSER_NAMES.includes(values.browser))
  reject(`--browser takes ${BROWSER_NAMES.join(", ")}, not ${values.browser}`);
const PARTS = {
  opening: measureOpening,
  interaction: measureInteraction,
  ...(values.browser === "chromium" && { scores: measureScores }),
};
if (values.only && !(values.only in PARTS)) reject(`--only takes ${Object.keys(PARTS).join(", ")}, not ${values.only}`);
const FRIENDS = 500;
const MESSAGES = 10_000;

Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
await runCommand("bench-web", async (command) => {
  const stack = await startStackFor(command, { raisesLimits: true });
  const { url } = stack;
  const { browser, executablePath } = await launchBrowser(command, values.browser as BrowserName);
  logProgress(`creating ${FRIENDS} friends and ${MESSAGES} messages ...`);
  const crowd = await seedCrowd(stack, FRIENDS, MESSAGES);
  command.atEnd(crowd.close);
  const session = signedIn(url, crowd);
  const visitor: Visitor = { browser, executablePath, url, crowd, session, slowdown: values.slowdown };
  const figures: Record<string, number> = {};
  for (const [part, measure] of Object.entries(PARTS)) {
    if ((values.only ?? part) === part) Object.assign(figures, await measure(visitor, values.rounds));
  }
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
});

function signedIn(url: string, { cookie, userId }: Crowd): StorageState {
  const [name = "", value = ""] = cookie.split("=");
  return {
    cookies: [
      { name, value, domain: "localhost", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" },
    ],
    origins: [{ origin: url, localStorage: [{ name: "current-user-id", value: userId }] }],
  };
}
