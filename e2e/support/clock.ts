import type { Page } from "@playwright/test";

/** Time stands still from now on, a moment ahead of what the page's clock says; needs an installed clock. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}
