import type { Page } from "@playwright/test";

/** Smoke test of a release. `npm run release` runs it in the live shell with the responses of recorded.json. */
export default async function smoke(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("current-user-id", "ann"));
  await page.goto("/home");
  await page.getByRole("navigation", { name: "Friends" }).getByRole("link", { name: "Bob" }).click();
  const log = page.getByRole("log");
  await log.getByText("Good morning, Ann!").waitFor();
  const composer = page.getByPlaceholder("Message...");
  await composer.fill("Hello from the smoke test");
  await composer.press("Enter");
  await log.getByText("Hello from the smoke test").waitFor();
}
