import type { Page } from "@playwright/test";

/** Smoke test of a release. `npm run release` runs it in the live shell with the responses of recorded.json. */
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
