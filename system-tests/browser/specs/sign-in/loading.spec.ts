import type { Page } from "@playwright/test";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

/** Delays the requests for matching files until the returned function is called. */
async function delay(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, (route) => promise.then(() => route.continue()));
  return resolve;
}

test.describe("a page that loads", () => {
  test("shows the logo before its scripts run, and in the same place beside the spinner", async ({ page }) => {
    const loadShell = await delay(page, /\/assets\/(vendor|main)\..*\.js$/);
    const loadRemote = await delay(page, /\/mfe-auth\/.*\.js$/);
    await page.goto("/login", { waitUntil: "commit" });
    const logo = page.locator("#root img");
    await expect(logo).toBeVisible();
    const place = await logo.boundingBox();
    const spinner = page.getByRole("main").getByRole("status");
    await expect(spinner).toHaveCount(0);
    loadShell();
    await expect(spinner).toBeVisible();
    expect(await logo.boundingBox()).toEqual(place);
    loadRemote();
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
  });

  test("asks for JavaScript if the browser does not run it", CHROMIUM_ONLY, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/login");
    const notice = page.locator("noscript");
    await expect(notice).toBeInViewport();
    expect(await notice.textContent()).toBe("Messageoh needs JavaScript.");
    await expect(page.locator("#root img")).toBeInViewport();
    await context.close();
  });
});
