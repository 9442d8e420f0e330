import type { Page } from "@playwright/test";

/** Stops the installed clock slightly ahead of the page's current time. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}
