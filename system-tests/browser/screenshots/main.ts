import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "@messageoh/stack/command/arguments";
import { runCommand } from "@messageoh/stack/command/command";
import { logProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { findBrowser, findFirefox } from "@messageoh/stack/dependencies/browser";
import { startStackFor } from "@messageoh/stack/stack";
import { type Browser, chromium, firefox } from "@playwright/test";
import { chromiumOptions, fillAsTyped, firefoxOptions } from "../support/engines.ts";
import { ATTACHMENT_SCENES } from "./attachmentScenes.ts";
import { LINK_SCENES } from "./linkScenes.ts";
import { LIST_SCENES } from "./listScenes.ts";
import { SIGN_IN_SCENES } from "./signInScenes.ts";
import { prepareContext, Stage } from "./stage.ts";
import type { Scene } from "./steps.ts";
import { THREAD_SCENES } from "./threadScenes.ts";
import { createWorld, NOW, type World } from "./world.ts";

// npm run screenshots saves pictures of every screen and state, in Firefox with BROWSER=firefox.
const root = repoRoot();
const { values } = readOptions("npm run screenshots", {
  only: ["", "PREFIXES", "only scenes whose names begin with one of these, separated by commas"],
  widths: ["390,768,1280", "LIST", "widths of the window; 390x400 is a phone with an open keyboard"],
  schemes: ["light,dark", "LIST", "colour schemes"],
  appearance: ["", "LIST", "choices of the settings, such as direction=rtl,accent=violet"],
  out: [join(root, "screenshots"), "FOLDER", "where the pictures go"],
});
const SIZES: Record<string, [width: number, height: number]> = {
  "390": [390, 844],
  "768": [768, 1024],
  "1280": [1280, 800],
  "390x400": [390, 400],
};
const SCENES: [string, Scene][] = Object.entries({
  ...SIGN_IN_SCENES,
  ...LIST_SCENES,
  ...ATTACHMENT_SCENES,
  ...LINK_SCENES,
  ...THREAD_SCENES,
});

const chosen = SCENES.filter(([name]) => values.only.split(",").some((wanted) => name.startsWith(wanted)));
const appearance = Object.fromEntries(
  values.appearance
    .split(",")
    .filter(Boolean)
    .map((choice) => `messageoh:${choice}`.split("=") as [string, string]),
);
const failures: string[] = [];
// Playwright would end the process before the command has stopped the stack and removed its folder.
const SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

process.env.BCRYPT_COST = "4";
await runCommand("screenshots", async (command) => {
  const isFirefox = process.env.BROWSER === "firefox";
  const browser = await (isFirefox
    ? firefox.launch({ ...firefoxOptions((await findFirefox(root)).FIREFOX_PATH), ...SIGNALS })
    : chromium.launch({ ...chromiumOptions((await findBrowser(root)).CHROME_PATH), ...SIGNALS }));
  command.atEnd(() => browser.close());
  if (isFirefox) await fillAsTyped(browser);
  const { url } = await startStackFor(command, { raisesLimits: true });
  logProgress(`${url} is ready: taking pictures ...`);
  await mkdir(values.out, { recursive: true });
  const world = await createWorld(url);
  for (const width of values.widths.split(",")) {
    for (const colorScheme of values.schemes.split(",")) {
      await takeAll(browser, world, width, colorScheme === "dark" ? "dark" : "light");
    }
  }
  for (const friend of world.friends.values()) friend.close();
  process.stdout.write(`${values.out} holds the pictures\n`);
  for (const failure of failures) process.stderr.write(`no picture of ${failure}\n`);
  return failures.length === 0 ? 0 : 1;
});

/** Runs each scene on its own page in one browser context. */
async function takeAll(browser: Browser, world: World, size: string, colorScheme: "light" | "dark"): Promise<void> {
  const [width, height] = SIZES[size] ?? [Number(size), 800];
  const context = await browser.newContext({
    baseURL: world.me.baseUrl,
    colorScheme,
    viewport: { width, height },
    locale: "en-GB",
    timezoneId: "UTC",
    hasTouch: width < 768,
  });
  context.setDefaultTimeout(20_000);
  await context.clock.setFixedTime(NOW);
  await prepareContext(context, world);
  for (const [name, scene] of chosen) {
    await removeDrafts(world);
    const page = await context.newPage();
    const file = `${name}-${size}-${colorScheme}.png`;
    try {
      for (const step of scene) await step(new Stage(page, world, appearance));
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await page.screenshot({ path: join(values.out, file), fullPage: true, animations: "disabled" });
    } catch (error) {
      failures.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
    await context.setOffline(false);
    await page.close();
  }
  // A response that arrives after the end would be an error.
  await context.unrouteAll({ behavior: "wait" });
  await context.close();
  process.stdout.write(`${size} px, ${colorScheme}: ${chosen.length} scenes\n`);
}

/** Removes what earlier scenes have written and not sent. */
async function removeDrafts({ me, threadIds }: World): Promise<void> {
  for (const friend of ["Albus", "Theo"]) {
    await me.call("PUT", `/drafts/${me.id}/${threadIds.get(friend)}`, { text: "" });
  }
}
