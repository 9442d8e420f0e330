import { expect } from "@playwright/test";
import { relayTest } from "../../support/relayTest.ts";
import { type Browser, Display } from "./display.ts";
import { Window } from "./window.ts";

interface WorkerFixtures {
  display: Display;
}

interface Fixtures {
  /** Opens a browser of its own, with a window of this width in CSS pixels. */
  open: (width?: number) => Promise<Window>;
}

export const test = relayTest.extend<Fixtures, WorkerFixtures>({
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern.
    async ({}, use) => {
      const display = await Display.open();
      await use(display);
      await display.close();
    },
    { scope: "worker" },
  ],
  open: async ({ display, relay }, use, info) => {
    const browsers: Browser[] = [];
    await use(async (width = 1280) => {
      const browser = await display.browser();
      browsers.push(browser);
      await browser.driver.manage().window().setRect({ width, height: 900 });
      return new Window(browser.driver, relay.url);
    });
    for (const { driver, close } of browsers) {
      if (info.status !== info.expectedStatus) {
        const body = Buffer.from(await driver.takeScreenshot(), "base64");
        await info.attach("screenshot", { body, contentType: "image/png" });
      }
      await close();
    }
  },
});

export { expect };
