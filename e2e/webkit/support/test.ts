import { expect } from "@playwright/test";
import { relayTest } from "../../support/relayTest.ts";
import { Display } from "./display.ts";
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
  open: async ({ display, relay }, use) => {
    const closers: (() => Promise<void>)[] = [];
    await use(async (width = 1280) => {
      const { driver, close } = await display.browser();
      closers.push(close);
      await driver.manage().window().setRect({ width, height: 900 });
      return new Window(driver, relay.url);
    });
    await Promise.all(closers.map((close) => close()));
  },
});

export { expect };
