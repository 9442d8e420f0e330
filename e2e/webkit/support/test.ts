import { test as base, expect } from "@playwright/test";
import { uniqueName } from "../../support/names.ts";
import { ProtocolClient } from "../../support/protocolClient.ts";
import { Relay } from "../../support/relay.ts";
import { Display } from "./display.ts";
import { Window } from "./window.ts";

interface WorkerFixtures {
  display: Display;
}

interface Fixtures {
  /** A stack that a test can stop and start. */
  relay: Relay;
  /** Opens a browser of its own, with a window of this width in CSS pixels. */
  open: (width?: number) => Promise<Window>;
  /** Registers two friends. */
  newPair: () => Promise<{ ann: ProtocolClient; bob: ProtocolClient }>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern.
    async ({}, use) => {
      const display = await Display.open();
      await use(display);
      await display.close();
    },
    { scope: "worker" },
  ],
  relay: async ({ baseURL }, use) => {
    const relay = new Relay(baseURL ?? "");
    await relay.start();
    await use(relay);
    await relay.stop();
  },
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
  newPair: async ({ relay }, use) => {
    const users: ProtocolClient[] = [];
    await use(async () => {
      const [ann, bob] = await Promise.all(
        ["Ann", "Bob"].map((name) => new ProtocolClient(relay.url, uniqueName(name)).register()),
      );
      if (!ann || !bob) throw new Error("Two users are registered");
      users.push(ann, bob);
      await ann.befriend(bob);
      return { ann, bob };
    });
    for (const user of users) user.close();
  },
});

export { expect };
