import type { Page } from "@playwright/test";

/** What must work before a release goes live. The remotes' own walks follow, for the last releases of each. */
export default async function smoke(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await page.goto("/no/such/page");
  await page.getByRole("button", { name: "Back home" }).click();
  await page.getByRole("button", { name: "Register" }).waitFor();
}
