import type { Page } from "@playwright/test";
import { isKept } from "../../support/offline.ts";
import { command, serveServiceWorker } from "../../support/releasing.ts";
import { expect, test } from "../../support/test.ts";

/** A service worker that responds to each navigation with its own page. */
const BROKEN = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("fetch", (event) => {
    if (event.request.mode !== "navigate") return;
    event.respondWith(new Response("broken on purpose", { headers: { "content-type": "text/html" } }));
  });
`;

const installed = (page: Page) =>
  page.evaluate(async () => ({
    serviceWorkers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
  }));

test.afterEach(async () => {
  const { code, output } = await command("service-worker", "restore");
  expect(code, output).toBe(0);
});

test("one command removes a broken service worker from browsers, another one restores it", async ({
  newUser,
  enter,
}) => {
  test.slow();
  const ann = await newUser("Ann");
  const { page } = await enter(ann, { serviceWorkers: "allow" });
  const greeting = page.getByText(`Hi ${ann.name}!`);
  /** Opens the app in new tabs until the browser has replaced its service worker, which it does after a load. */
  const openUntil = (isDone: (tab: Page) => Promise<boolean>) =>
    expect
      .poll(
        async () => {
          const tab = await page.context().newPage();
          try {
            // A navigation may never begin while the service worker is replaced. A person would open the app again,
            // too.
            await tab.goto("/home", { timeout: 10_000 });
            return await isDone(tab);
          } catch {
            return false;
          } finally {
            await tab.close();
          }
        },
        // Chromium looks for a new service worker one second after a load; another load starts this second again.
        { intervals: [5_000], timeout: 60_000 },
      )
      .toBe(true);
  await isKept(page);

  serveServiceWorker(BROKEN);
  await openUntil((tab) => tab.getByText("broken on purpose").isVisible());

  expect((await command("service-worker", "remove")).output).toContain("The service worker is removed");
  await openUntil(async (tab) => !(await tab.getByText("broken on purpose").isVisible()));
  await page.reload();
  await expect(greeting).toBeVisible();
  await expect.poll(() => installed(page)).toEqual({ serviceWorkers: 0, caches: [] });

  await command("service-worker", "restore");
  await page.reload();
  await expect(greeting).toBeVisible();
  await isKept(page);
});
