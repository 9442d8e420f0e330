import type { BrowserContext, CDPSession, Page, Worker } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import type { Person } from "../../support/person.ts";
import type { ProtocolClient } from "../../support/protocolClient.ts";
import { expect, test } from "../../support/test.ts";

/** State of a tab that the tests read or set. */
interface Tab {
  shown: string[];
  badge: number;
  isHidden: boolean;
}

/**
 * Prepares a tab. Headless Chromium shows real notifications, but keeps every tab visible, has no badge and nobody can
 * click on a notification, so these three are stubbed.
 */
function prepareTab(settings: object, key: string): void {
  localStorage.setItem(key, JSON.stringify(settings));
  const tab: Tab = { shown: [], badge: 0, isHidden: false };
  Object.assign(window, { tab });
  Object.defineProperty(document, "visibilityState", { get: () => (tab.isHidden ? "hidden" : "visible") });
  const setAppBadge = async (count: number): Promise<void> => {
    tab.badge = count;
  };
  Object.assign(navigator, { setAppBadge });
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    tab.shown.push(`${title}: ${options?.body}`);
    return navigator.locks.request("showing", () => show.call(this, title, options));
  };
}
const tabOf = (page: Page): Promise<Tab> => page.evaluate(() => (window as { tab?: Tab }).tab as Tab);
const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign((window as { tab?: Tab }).tab as Tab, { isHidden: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });

const ON = { isOn: true, showsText: false, hasSound: false, isPushWanted: false, wasOffered: true };
const prepareWith = (user: ProtocolClient, settings: object) => async (person: Person) => {
  await person.page.context().grantPermissions(["notifications"]);
  const key = `messageoh:notifications:${user.id}`;
  const script = `(${prepareTab})(${JSON.stringify(settings)}, ${JSON.stringify(key)})`;
  await person.page.context().addInitScript(script);
};

/** Returns the service worker when it controls the page, and records the texts that it shows. */
async function workerOf(context: BrowserContext): Promise<Worker> {
  await expect.poll(() => context.serviceWorkers().length).toBe(1);
  const worker = context.serviceWorkers()[0] as Worker;
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { shown: string[] };
    scope.shown = [];
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      scope.shown.push(options?.body ?? "");
      return navigator.locks.request("showing", () => show.call(this, title, options));
    };
  });
  return worker;
}
/** Returns the texts that the service worker has shown. */
const everShown = (worker: Worker): Promise<string[]> =>
  worker.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);

/**
 * Returns the notifications that the browser shows. It forgets one if they are listed while that one is being shown.
 */
const notifications = (worker: Worker): Promise<string[]> =>
  worker.evaluate(() =>
    navigator.locks.request("showing", async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
    }),
  );

/** Clicks on the only notification: the event of a real click cannot be made, and only a real one may focus a page. */
const click = (worker: Worker): Promise<void> =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      WindowClient: { prototype: object };
      NotificationEvent: new (type: string, init: object) => Event;
      dispatchEvent: (event: Event) => void;
    };
    Object.assign(scope.WindowClient.prototype, { focus: async () => undefined });
    const [notification] = await scope.registration.getNotifications();
    const event = new scope.NotificationEvent("notificationclick", { notification });
    const done = new Promise((resolve) => Object.assign(event, { waitUntil: resolve }));
    scope.dispatchEvent(event);
    await done;
  });

/** Waits until a tab has loaded the code of notifications, which takes a lock then. */
const ready = (page: Page, user: ProtocolClient): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query();
        return [...held, ...pending].map(({ name }) => name);
      }),
    )
    .toContain(`messageoh:notifications:${user.id}`);

test(
  "one of two hidden tabs notifies, a click opens the thread, and reading elsewhere closes it",
  CHROMIUM_ONLY,
  async ({ newPair, enter }) => {
    const { ann, bob, threadId } = await newPair();
    const person = await enter(bob, { serviceWorkers: "allow", prepare: prepareWith(bob, ON) });
    await expect(person.entry(ann)).toBeVisible();
    const context = person.page.context();
    const worker = await workerOf(context);
    const second = await context.newPage();
    await second.goto("/home");
    await expect(second.getByRole("link", { name: ann.name })).toBeVisible();
    for (const page of [person.page, second]) await ready(page, bob);

    await test.step("nothing while a tab is visible", async () => {
      await hide(person.page);
      await ann.say(bob, "to a visible tab");
      await expect(person.entry(ann)).toContainText("1 unread message");
      await expect.poll(async () => (await tabOf(person.page)).badge).toBe(1);
      expect(await notifications(worker)).toEqual([]);
    });

    await test.step("one notification, without the text", async () => {
      await hide(second);
      await ann.say(bob, "to hidden tabs");
      await expect.poll(() => notifications(worker)).toEqual([`${ann.name}: New message`]);
      await ann.say(bob, "once more");
      const shownIn = async () => [(await tabOf(person.page)).shown, (await tabOf(second)).shown].flat();
      await expect.poll(shownIn).toHaveLength(2);
      expect(await notifications(worker)).toEqual([`${ann.name}: New message`]);
      await expect(person.page).toHaveTitle("(3) Messageoh");
    });

    await test.step("a click opens the thread", async () => {
      await click(worker);
      await expect.poll(() => context.pages().some((page) => page.url().endsWith(`/home/${ann.id}`))).toBe(true);
      expect(await notifications(worker)).toEqual([]);
    });

    await test.step("reading on another device closes it", async () => {
      await ann.say(bob, "for another device");
      await expect.poll(() => notifications(worker)).toHaveLength(1);
      await bob.call("PUT", "/update_message_read", { thread_id: threadId });
      await expect.poll(() => notifications(worker)).toEqual([]);
      await expect.poll(async () => (await tabOf(person.page)).badge).toBe(0);
    });
  },
);

test(
  "a muted thread stays silent, and the text is shown if the user wants it",
  CHROMIUM_ONLY,
  async ({ newPair, newUser, enter }) => {
    const { ann, bob } = await newPair();
    const cyd = await newUser("Cyd");
    await cyd.befriend(bob);
    await bob.call("PUT", `/friends/${bob.id}/${ann.id}`, { is_muted: true });
    const person = await enter(bob, { serviceWorkers: "allow", prepare: prepareWith(bob, { ...ON, showsText: true }) });
    await expect(person.entry(cyd)).toBeVisible();
    const worker = await workerOf(person.page.context());
    await ready(person.page, bob);
    await hide(person.page);
    await ann.say(bob, "to a muted thread");
    await expect(person.entry(ann)).toContainText("1 unread message");
    await cyd.say(bob, "Hello Bob");
    await expect.poll(() => notifications(worker)).toEqual([`${cyd.name}: Hello Bob`]);
    await expect.poll(async () => (await tabOf(person.page)).badge).toBe(1);
  },
);

test(
  "the service worker shows a push notification unless the chat is visible, and replaces that of the page",
  CHROMIUM_ONLY,
  async ({ newPair, enter, baseURL }) => {
    const { ann, bob, threadId } = await newPair();
    const person = await enter(bob, { serviceWorkers: "allow", prepare: prepareWith(bob, ON) });
    await expect(person.entry(ann)).toBeVisible();
    const worker = await workerOf(person.page.context());
    const deliver = await pushService(person.page, baseURL);
    const push = (payload: object) => deliver({ thread_id: threadId, friend_id: ann.id, name: "Ann", ...payload });

    await push({ text: "to a visible page" });
    await person.page.goto("/nowhere");
    // The page that was left stays a client of the service worker for a moment.
    await expect.poll(() => chatPages(worker)).toBe(0);
    await push({});
    await expect.poll(() => notifications(worker)).toEqual(["Ann: New message"]);
    expect(await everShown(worker)).toEqual(["New message"]);
    await push({ text: "Hello" });
    await expect.poll(() => notifications(worker)).toEqual(["Ann: Hello"]);

    // The chat closes the notification, because the thread has no unread messages.
    await person.page.goto("/home");
    await expect.poll(() => notifications(worker)).toEqual([]);
  },
);

test(
  "a push closes the notification of a thread that was read on another device",
  CHROMIUM_ONLY,
  async ({ newPair, newUser, enter, baseURL }) => {
    const { ann, bob, threadId } = await newPair();
    const [cyd, dan] = await Promise.all([newUser("Cyd"), newUser("Dan")]);
    const [withCyd, withDan] = [await cyd.befriend(bob), await dan.befriend(bob)];
    const person = await enter(bob, { serviceWorkers: "allow", prepare: prepareWith(bob, ON) });
    await expect(person.entry(ann)).toBeVisible();
    const worker = await workerOf(person.page.context());
    const deliver = await pushService(person.page, baseURL);
    await person.page.goto("/nowhere");
    await expect.poll(() => chatPages(worker)).toBe(0);
    const push = async (from: ProtocolClient, thread_id: string) => {
      await from.say(bob, "Hello");
      await deliver({ user_id: bob.id, thread_id, friend_id: from.id, name: from.name });
    };
    const shown = async () => (await notifications(worker)).sort();
    const newFrom = (...friends: ProtocolClient[]) => friends.map(({ name }) => `${name}: New message`).sort();

    await push(ann, threadId);
    await push(cyd, withCyd);
    await expect.poll(shown).toEqual(newFrom(ann, cyd));
    await bob.call("PUT", "/update_message_read", { thread_id: threadId });
    await push(dan, withDan);
    await expect.poll(shown).toEqual(newFrom(cyd, dan));
  },
);

/** Returns the number of pages that show the chat, as the service worker sees them. */
const chatPages = (worker: Worker): Promise<number> =>
  worker.evaluate(async () => {
    const { clients } = globalThis as typeof globalThis & {
      clients: { matchAll: (options: object) => Promise<{ url: string }[]> };
    };
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    return pages.filter(({ url }) => new URL(url).pathname.startsWith("/home")).length;
  });

test("are turned on by keyboard alone, without an axe violation: the offer after the first message, and the dialog", async ({
  newPair,
  enter,
}) => {
  test.slow();
  const { ann, bob } = await newPair();
  const prepare = ({ page }: Person) => page.context().grantPermissions(["notifications"]);
  const { page } = await enter(ann, { path: `/home/${bob.id}`, hasTouch: true, prepare });
  await page.getByPlaceholder("Message...").focus();
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  const offer = page.getByRole("region", { name: "Notifications" });
  await expect(offer).toBeVisible();
  // The offer takes no focus from the text.
  await expect(page.getByPlaceholder("Message...")).toBeFocused();
  await hasNoViolation(page, "a thread with the offer of notifications");
  await offer.getByRole("button", { name: "Turn on" }).focus();
  await page.keyboard.press("Enter");
  await expect(offer).toHaveCount(0);

  await page.getByRole("button", { name: "Your avatar and account menu" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Settings" }).press("Enter");
  await page.getByRole("button", { name: "Notifications" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  const sound = dialog.getByRole("checkbox", { name: "Play a quiet sound" });
  await expect(dialog.getByRole("checkbox", { name: "Notify me about new messages" })).toBeChecked();
  await expect(sound).not.toBeChecked();
  for (let stops = 0; stops < 5 && !(await sound.evaluate((box) => box === document.activeElement)); stops += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(sound).toBeChecked();
  await hasNoViolation(page, "the notifications");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

/** Returns a function that delivers a push to the service worker of a page. */
async function pushService(page: Page, baseURL: string | undefined): Promise<(payload: object) => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(cdp);
  const { origin } = new URL(baseURL ?? "");
  return (payload) =>
    cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(payload) });
}

async function registrationOf(cdp: CDPSession): Promise<string> {
  const found = Promise.withResolvers<string>();
  cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const [registration] = registrations;
    if (registration) found.resolve(registration.registrationId);
  });
  await cdp.send("ServiceWorker.enable");
  return found.promise;
}
