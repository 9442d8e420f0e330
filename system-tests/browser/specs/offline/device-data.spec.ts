import type { Page } from "@playwright/test";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { deviceThreads, expect, isKept, isStored, test } from "../../support/offline.ts";
import { Person } from "../../support/person.ts";

const rememberedUser = (page: Page) => page.evaluate(() => localStorage.getItem("messageoh:user"));

async function nothingIsStored(page: Page): Promise<void> {
  await expect.poll(() => deviceThreads(page).catch(() => "open")).toBeNull();
  expect(await rememberedUser(page)).toBeNull();
}

test("a log-out removes what the device stores, also in the other tabs", async ({ relay, pairAt, enterAt }) => {
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "a secret");
  const person = await enterAt(ann);
  const { page } = person;
  await isStored(page, threadId, "a secret");
  await isKept(page);
  const other = await page.context().newPage();
  await other.goto(`${relay.url}/home/${bob.id}`);
  await expect(other.getByRole("log").getByText("a secret")).toBeVisible();

  await person.openAccountMenu();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  for (const tab of [page, other]) await expect(tab).toHaveURL(/\/login$/);
  await nothingIsStored(page);

  await relay.stop();
  await page.goto(`${relay.url}/home`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(ann.name)).toHaveCount(0);
});

test("the end of a session removes what the device stores", async ({ relay, pairAt, enterAt }) => {
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "a secret");
  const { page } = await enterAt(ann);
  await isStored(page, threadId, "a secret");
  await page.goto("about:blank");
  await ann.call("POST", "/logout");
  await page.goto(`${relay.url}/home`);
  await expect(page).toHaveURL(/\/login$/);
  await nothingIsStored(page);
});

test("what the device stores of a user is not shown to another one", async ({ relay, pairAt, enterAt }) => {
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "a secret");
  const { page } = await enterAt(ann);
  await isStored(page, threadId, "a secret");
  await isKept(page);
  await page.evaluate(
    (user) => {
      localStorage.setItem("current-user-id", user.id);
      localStorage.setItem("messageoh:user", JSON.stringify(user));
    },
    { id: bob.id, name: bob.name, avatar_id: "fox-id" },
  );
  await relay.stop();
  await page.goto(`${relay.url}/home`);
  await expect(page.getByText("Something went wrong with your request")).toBeVisible();
  await expect(page.getByText("a secret")).toHaveCount(0);
});

/** Makes the browser forbid all storage except cookies, as some do in private mode. */
const forbid = (page: Page) =>
  page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("Forbidden", "SecurityError");
    };
    Object.defineProperty(window, "indexedDB", { get: refuse });
    Object.defineProperty(window, "caches", { get: refuse });
    // Missing in a page that is not secure, as Firefox opens first.
    if (navigator.serviceWorker) navigator.serviceWorker.register = async () => refuse();
  });

test("signs in, sends and receives in a browser that forbids all storage", async ({ relay, pairAt, browser }) => {
  const { ann, bob } = await pairAt();
  const context = await browser.newContext({ baseURL: relay.url });
  const page = await context.newPage();
  await forbid(page);
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException("Forbidden", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get });
  });
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  const person = new Person(page, ann.name);
  await page.goto("/login");
  await page.getByPlaceholder("Username").fill(ann.name);
  await page.getByPlaceholder("Password").fill("a long password");
  await page.getByRole("button", { name: "Log in" }).click();
  await person.openThread(bob);
  await person.send("Hello Bob");
  await expect(person.message("Hello Bob").getByRole("img", { name: "Sent" })).toBeVisible();
  await bob.say(ann, "Hello Ann");
  await person.sees("Hello Ann");
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  expect(problems).toEqual([]);
  await context.close();
});

/** Sets the quota of the origin to nothing. */
async function fill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize: 1 });
}

const refuseToOpen = (page: Page) =>
  page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      const request = { error: new DOMException("Full", "QuotaExceededError"), onerror: () => undefined };
      queueMicrotask(() => request.onerror());
      return request as never;
    };
  });
const refuseToWrite = (page: Page) =>
  page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("Full", "QuotaExceededError");
    };
  });

for (const [what, prepare] of [
  ["forbidden", forbid],
  ["full", undefined],
  ["full when it is opened", refuseToOpen],
  ["full for each write", refuseToWrite],
] as const) {
  const engines = what === "full" ? CHROMIUM_ONLY : {};
  test(
    `everything else works while the storage of the browser is ${what}`,
    engines,
    async ({ relay, pairAt, enterAt }) => {
      const { ann, bob } = await pairAt();
      const person = await enterAt(ann, { path: "/robots.txt", prepare: async ({ page }) => prepare?.(page) });
      const { page } = person;
      if (what === "full") await fill(page);
      const refused = page.waitForEvent("console", (entry) => /not (?:be )?stored on this device/.test(entry.text()));
      const problems: string[] = [];
      page.on("pageerror", ({ message }) => problems.push(message));
      await page.goto(`${relay.url}/home/${bob.id}`);
      await person.send("Hello Bob");
      await expect(person.message("Hello Bob").getByRole("img", { name: "Sent" })).toBeVisible();
      await bob.say(ann, "Hello Ann");
      await person.sees("Hello Ann");
      await refused;
      await page.reload();
      await person.sees("Hello Ann");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await expect(page.getByText("Something went wrong")).toHaveCount(0);
      expect(problems).toEqual([]);
    },
  );
}
