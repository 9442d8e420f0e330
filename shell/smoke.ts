import type { Page } from "@playwright/test";

/** Smoke test of a release of the shell. The smoke tests of the remotes' last releases run after it. */
export default async function smoke(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await page.goto("/no/such/page");
  await page.getByRole("button", { name: "Back home" }).click();
  await page.getByRole("button", { name: "Register" }).waitFor();
}
