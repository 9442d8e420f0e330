import type { Page } from "@playwright/test";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { uniqueName } from "../../support/names.ts";
import { isKept } from "../../support/offline.ts";
import { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

const PASSWORD = "correct horse 4711";
const MESSAGE = "Hello Bob";

/** Returns all that the browser stores for the app, and its address. */
const everythingStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const stored: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await resultOf(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = database.transaction(store).objectStore(store);
        stored.push(await resultOf(records.getAllKeys()), await resultOf(records.getAll()));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) stored.push(request.url, await (await cache.match(request))?.text());
    }
    return JSON.stringify(stored);
  });

// The service worker stores files.
test.use({ serviceWorkers: "allow" });

test(
  "sends the password on register and login only, and does not store it",
  CHROMIUM_ONLY,
  async ({ page, newUser }) => {
    const friend = await newUser("Bob");
    const name = uniqueName("Ann");
    const person = new Person(page, name);
    const carriers: string[] = [];
    const note = (what: string, text: string | null) => {
      if (text?.includes(PASSWORD) || text?.includes(encodeURIComponent(PASSWORD))) carriers.push(what);
    };
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      note(`${request.method()} ${pathname}`, request.postData());
      note(`address of ${pathname}`, request.url());
      note(`headers of ${pathname}`, JSON.stringify(request.headers()));
    });
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => note("websocket", String(payload)));
    });
    await test.step("register, add a friend, write, log out", async () => {
      await page.goto("/register");
      await page.getByPlaceholder("Username e.g. Albus212").fill(name);
      await page.getByPlaceholder("Password").fill(PASSWORD);
      await page.getByRole("radio", { name: "Koala" }).click();
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
      expect(carriers).toEqual(["POST /messageoh/users"]);
      await person.addFriend(friend);
      await person.send(MESSAGE);
      await person.sees(MESSAGE);
      await isKept(page);
      // What it returns includes the records and the stored files.
      await expect.poll(() => everythingStored(page)).toContain(MESSAGE);
      expect(await everythingStored(page)).toContain("<!doctype html>");
      expect(await everythingStored(page)).not.toContain(PASSWORD);
      await person.openAccountMenu();
      await page.getByText("Log out", { exact: true }).click();
      await expect(page).toHaveURL("/login");
    });

    await test.step("log in", async () => {
      await page.getByPlaceholder("Username").fill(name);
      await page.getByPlaceholder("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Log in" }).click();
      await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
      expect(carriers).toEqual(["POST /messageoh/users", "POST /messageoh/login"]);
      expect(await everythingStored(page)).not.toContain(PASSWORD);
    });
  },
);
