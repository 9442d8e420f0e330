import { type Browser, expect, type Locator } from "@playwright/test";

/**
 * Marks a test that only Chromium can run: it uses the DevTools protocol, or what WebDriver BiDi lacks in Firefox: bodies of
 * requests, frames of sockets, downloads, push, emulated media features, access to the clipboard, a page without JavaScript, a
 * cache that serves pictures while the browser is offline.
 */
export const CHROMIUM_ONLY = { tag: "@chromium-only" };

/**
 * Makes `fill` in this process enter the text as a user's input. Over BiDi it sets the value of the field, which React does
 * not notice.
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
