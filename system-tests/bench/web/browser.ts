import type { Command } from "@messageoh/stack/command/command";
import { repoRoot } from "@messageoh/stack/command/root";
import { findBrowser, findFirefox } from "@messageoh/stack/dependencies/browser";
import { type Browser, chromium, firefox, type LaunchOptions } from "@playwright/test";

/** How each browser is started, and its program; without one, Playwright uses its own. */
const BROWSERS = {
  async chromium(): Promise<LaunchOptions> {
    const { CHROME_PATH } = await findBrowser(repoRoot());
    return { executablePath: CHROME_PATH, args: ["--no-sandbox", "--disable-gpu"] };
  },
  async firefox(): Promise<LaunchOptions> {
    const { FIREFOX_PATH } = await findFirefox(repoRoot());
    // A Firefox at a path is driven through WebDriver BiDi.
    return FIREFOX_PATH ? { executablePath: FIREFOX_PATH, channel: "moz-firefox" } : {};
  },
};
export type BrowserName = keyof typeof BROWSERS;
export const BROWSER_NAMES = Object.keys(BROWSERS);

/** Starts a browser, which ends with the command. */
export async function launchBrowser(
  { atEnd }: Command,
  name: BrowserName,
): Promise<{ browser: Browser; executablePath: string | undefined }> {
  const options = await BROWSERS[name]();
  // Playwright would end the process before the command has stopped the stack and removed its folder.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await { chromium, firefox }[name].launch({ ...options, ...signals });
  atEnd(() => browser.close());
  return { browser, executablePath: options.executablePath };
}
