import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
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

// Saves pictures of screens and states. The stack at BASE_URL must be new, because the user names are fixed.
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

// tools/src/screenshots.ts describes the options.
const option = (fallback: string) => ({ type: "string", default: fallback }) as const;
const { values } = parseArgs({
  options: {
    only: option(""),
    widths: option("390"),
    schemes: option("light"),
    appearance: option(""),
    out: option("screenshots"),
  },
});
const chosen = SCENES.filter(([name]) => values.only.split(",").some((wanted) => name.startsWith(wanted)));
const appearance = Object.fromEntries(
  values.appearance
    .split(",")
    .filter(Boolean)
    .map((choice) => `messageoh:${choice}`.split("=") as [string, string]),
);
const baseURL = process.env.BASE_URL ?? "http://localhost:8080";
const failures: string[] = [];

await mkdir(values.out, { recursive: true });
const { BROWSER, CHROME_PATH, FIREFOX_PATH } = process.env;
const browser = await (BROWSER === "firefox"
  ? firefox.launch(firefoxOptions(FIREFOX_PATH))
  : chromium.launch(chromiumOptions(CHROME_PATH)));
if (BROWSER === "firefox") await fillAsTyped(browser);
try {
  const world = await createWorld(baseURL);
  for (const width of values.widths.split(",")) {
    for (const colorScheme of values.schemes.split(",")) {
      await takeAll(browser, world, width, colorScheme === "dark" ? "dark" : "light");
    }
  }
  for (const friend of world.friends.values()) friend.close();
} finally {
  await browser.close();
}
process.stdout.write(`${values.out} holds the pictures\n`);
for (const failure of failures) process.stderr.write(`no picture of ${failure}\n`);
process.exit(failures.length === 0 ? 0 : 1);

/** Runs each scene on its own page in one browser context. */
async function takeAll(browser: Browser, world: World, size: string, colorScheme: "light" | "dark"): Promise<void> {
  const [width, height] = SIZES[size] ?? [Number(size), 800];
  const context = await browser.newContext({
    baseURL,
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
