import { type Browser, expect, type LaunchOptions, type Locator } from "@playwright/test";

/** Returns how Chromium is started, with a microphone that beeps, without a question. */
export const chromiumOptions = (executablePath: string | undefined): LaunchOptions => ({
  ...(executablePath ? { executablePath } : {}),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
  ],
});

/**
 * Returns how Firefox is started, with a microphone that plays a tone, without a question. A Firefox at a path is
 * driven through WebDriver BiDi. Playwright 1.65 sends commands that Firefox ESR 153 does not know, so 1.64.1 is
 * pinned.
 */
export const firefoxOptions = (executablePath: string | undefined): LaunchOptions => ({
  ...(executablePath ? { executablePath, channel: "moz-firefox" } : {}),
  firefoxUserPrefs: {
    "media.navigator.streams.fake": true,
    "media.navigator.permission.disabled": true,
    "ui.prefersReducedMotion": 1,
  },
});

/**
 * Marks a test that only Chromium can run: it uses the DevTools protocol, or what WebDriver BiDi lacks in Firefox:
 * bodies of requests, frames of sockets, an end of sockets when the browser goes offline, downloads, service workers,
 * push, emulated media features, access to the clipboard, a page without JavaScript, a cache that serves pictures while
 * the browser is offline.
 */
export const CHROMIUM_ONLY = { tag: "@chromium-only" };

/**
 * Makes `fill` in this process enter the text as a user's input. Over BiDi it sets the value of the field, which React
 * does not notice.
 */
export async function fillAsTyped(browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const prototype: Locator = Object.getPrototypeOf((await context.newPage()).locator("body"));
  await context.close();
  prototype.fill = async function (text, { timeout } = {}) {
    await expect(this).toBeEditable({ timeout });
    await this.focus({ timeout });
    await this.evaluate((field: HTMLInputElement, value) => {
      field.select();
      document.execCommand(value ? "insertText" : "delete", false, value);
    }, text);
  };
}
