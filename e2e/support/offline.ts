import type { Page } from "@playwright/test";
import { uniqueName } from "./names.ts";
import type { Person } from "./person.ts";
import { ProtocolClient } from "./protocolClient.ts";
import { Relay } from "./relay.ts";
import { test as base, type EnterOptions, expect } from "./test.ts";

interface OfflineFixtures {
  /** A stack that a test can stop and start. */
  relay: Relay;
  /** Opens a browser with a service worker for a user, at the relay. */
  enterAt: (user: ProtocolClient, options?: EnterOptions) => Promise<Person>;
  /** Registers two friends at the relay. */
  pairAt: () => Promise<{ ann: ProtocolClient; bob: ProtocolClient; threadId: string }>;
}

/** Tests with a service worker, against a stack that they can stop. */
export const test = base.extend<OfflineFixtures>({
  relay: async ({ baseURL }, use) => {
    const relay = new Relay(baseURL ?? "");
    await relay.start();
    await use(relay);
    await relay.stop();
  },
  pairAt: async ({ relay }, use) => {
    const users: ProtocolClient[] = [];
    await use(async () => {
      const [ann, bob] = await Promise.all(
        ["Ann", "Bob"].map((name) => new ProtocolClient(relay.url, uniqueName(name)).register()),
      );
      if (!ann || !bob) throw new Error("Two users are registered");
      users.push(ann, bob);
      return { ann, bob, threadId: await ann.befriend(bob) };
    });
    for (const user of users) user.close();
  },
  enterAt: async ({ relay, enter }, use) => {
    await use((user, options) => enter(user, { baseURL: relay.url, serviceWorkers: "allow", ...options }));
  },
});

/** Returns the names of the files that the service worker stores, and whether it stores the page. */
const storedFiles = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

/** Waits until the app can open without a network. */
export async function isKept(page: Page): Promise<void> {
  await expect.poll(async () => (await storedFiles(page)).includes("/")).toBe(true);
}

/** Returns what the device stores of each thread, by thread id; `null` without a database. */
export const deviceThreads = (page: Page) =>
  page.evaluate(async () => {
    const isThere = (await indexedDB.databases()).some(({ name }) => name === "messageoh");
    if (!isThere) return null;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("messageoh");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const threads = await new Promise<{ threadId: string; messages: { text: string }[] }[]>((resolve, reject) => {
      const request = database.transaction("threads").objectStore("threads").getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    database.close();
    return Object.fromEntries(threads.map(({ threadId, messages }) => [threadId, messages.map(({ text }) => text)]));
  });

/** Waits until the device stores a message of a thread. */
export async function isStored(page: Page, threadId: string, text: string): Promise<void> {
  await expect.poll(async () => (await deviceThreads(page).catch(() => null))?.[threadId]).toContain(text);
}

export { expect };
