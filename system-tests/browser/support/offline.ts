import { mergeTests, type Page } from "@playwright/test";
import type { Person } from "./person.ts";
import type { ProtocolClient } from "./protocolClient.ts";
import { relayTest } from "./relayTest.ts";
import { test as base, type EnterOptions, expect } from "./test.ts";

interface OfflineFixtures {
  /** Opens a browser with a service worker for a user, at the relay. */
  enterAt: (user: ProtocolClient, options?: EnterOptions) => Promise<Person>;
}

/** Tests with a service worker, against a stack that they can stop. */
export const test = mergeTests(base, relayTest).extend<OfflineFixtures>({
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

/** Returns, inside a page, what the device stores of each thread, by thread id; `null` without a database. */
export async function readDevice(): Promise<Record<string, string[]> | null> {
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
}

/** Returns what the device stores of each thread, by thread id; `null` without a database. */
export const deviceThreads = (page: Page) => page.evaluate(readDevice);

/** Waits until the device stores a message of a thread. */
export async function isStored(page: Page, threadId: string, text: string): Promise<void> {
  await expect.poll(async () => (await deviceThreads(page).catch(() => null))?.[threadId]).toContain(text);
}

export { expect };
