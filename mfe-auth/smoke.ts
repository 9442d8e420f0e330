import type { Page } from "@playwright/test";

/** What must work before a release goes live: `npm run release` walks it in the live shell, on the answers of recorded.json. */
export default async function smoke(page: Page): Promise<void> {
  await page.goto("/register");
  await page.getByPlaceholder("Username").fill("Ann");
  await page.getByRole("radio", { name: "Koala" }).click();
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByPlaceholder("Username").fill("Ann");
  await page.getByPlaceholder("Password").fill("a long password");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("**/home");
}
