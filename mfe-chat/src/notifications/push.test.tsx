import { getPush, subscribePush, unsubscribePush } from "@messageoh/contracts/push";
import { received, respond, startHttpServer } from "@messageoh/contracts/testing/httpServer";
import { waitFor } from "@testing-library/react";
import { aState } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import { createStore } from "../state/store.ts";
import { createSettingsStorage } from "../storage/notificationSettings.ts";
import { createNotifications } from "./notifications.ts";
import { leaveBrowser, readPush, syncPush } from "./push.ts";

const aKey = (byte: number) => Buffer.alloc(65, byte).toString("base64url");
const KEY = aKey(4);
const state = { public_key: KEY as string | null, is_on: false, shows_text: false };
const server = startHttpServer(
  respond(getPush, () => state),
  respond(subscribePush, () => ({ ...state, is_on: true })),
  respond(unsubscribePush, () => ({ ...state, is_on: false })),
);

/** Gives the browser a service worker whose subscription was made with this key, if any. */
function aBrowser(subscribedWith: string | null = null) {
  let key = subscribedWith;
  const subscriptionWith = (made: string) => ({
    options: { applicationServerKey: Uint8Array.from(Buffer.from(made, "base64url")).buffer },
    toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "p".repeat(87), auth: "a".repeat(22) } }),
    unsubscribe: async () => {
      key = null;
      return true;
    },
  });
  const closed: string[] = [];
  const worker = {
    active: {},
    getNotifications: async () => ["one", "two"].map((name) => ({ close: () => void closed.push(name) })),
    pushManager: {
      getSubscription: async () => (key === null ? null : subscriptionWith(key)),
      subscribe: async (options: { applicationServerKey: string }) => {
        key = options.applicationServerKey;
        return subscriptionWith(key);
      },
    },
  };
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: async () => worker },
  });
  return { closed, subscribedWith: () => key };
}
const calls = () => received.map(({ method, path }) => `${method} ${path}`);
afterEach(() => {
  Reflect.deleteProperty(navigator, "serviceWorker");
  Object.assign(state, { public_key: KEY, is_on: false, shows_text: false });
});

it("subscribes this browser with the server's key and registers the subscription", async () => {
  const browser = aBrowser();
  expect(await readPush()).toBe("off");
  expect(await syncPush({ isWanted: true, showsText: true })).toBe("on");
  expect(browser.subscribedWith()).toBe(KEY);
  expect(received.at(-1)?.body).toEqual({
    endpoint: "https://push.example/1",
    keys: { p256dh: "p".repeat(87), auth: "a".repeat(22) },
    shows_text: true,
  });
});

it("registers an existing subscription for a new session, and nothing if it is registered", async () => {
  aBrowser(KEY);
  await syncPush({ isWanted: true, showsText: false });
  expect(calls()).toContain("PUT /push");
  received.length = 0;
  state.is_on = true;
  await syncPush({ isWanted: true, showsText: false });
  expect(calls()).toEqual(["GET /push"]);
  await syncPush({ isWanted: true, showsText: true });
  expect(calls()).toContain("PUT /push");
});

it("ends with the last of two changes, however late the first one is", async () => {
  aBrowser(KEY);
  state.is_on = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.use(
    respond(subscribePush, async ({ body }) => {
      await promise;
      state.shows_text = (body as { shows_text: boolean }).shows_text;
      return { ...state, is_on: true };
    }),
  );
  const first = syncPush({ isWanted: true, showsText: true });
  await waitFor(() => expect(calls()).toContain("PUT /push"));
  const second = syncPush({ isWanted: true, showsText: false });
  // Time enough for the second one, if it did not wait.
  await new Promise((done) => setTimeout(done, 50));
  resolve();
  await Promise.all([first, second]);
  expect(state.shows_text).toBe(false);
});

it("replaces a subscription with another key", async () => {
  const browser = aBrowser(aKey(5));
  await syncPush({ isWanted: true, showsText: false });
  expect(browser.subscribedWith()).toBe(KEY);
});

it("ends the subscription", async () => {
  const browser = aBrowser(KEY);
  state.is_on = true;
  expect(await syncPush({ isWanted: false, showsText: false })).toBe("off");
  expect(calls()).toContain("DELETE /push");
  expect(browser.subscribedWith()).toBeNull();
});

it("is unsupported without a service worker and without a key of the server", async () => {
  expect(await readPush()).toBe("unsupported");
  expect(await syncPush({ isWanted: true, showsText: false })).toBe("unsupported");
  aBrowser();
  state.public_key = null;
  expect(await readPush()).toBe("unsupported");
  expect(await syncPush({ isWanted: true, showsText: false })).toBe("unsupported");
});

it("closes the notifications and unsubscribes the browser at the end of the session", async () => {
  const browser = aBrowser(KEY);
  await leaveBrowser();
  expect(browser.closed).toEqual(["one", "two"]);
  expect(browser.subscribedWith()).toBeNull();
});

it("ends a subscription that the session of another user has left behind", async () => {
  const browser = aBrowser(KEY);
  Object.defineProperty(globalThis, "Notification", { configurable: true, value: { permission: "granted" } });
  const notifications = createNotifications({
    userId: "me",
    store: createStore(aState()),
    page: { isVisible: () => true },
    settings: createSettingsStorage("me", memoryStorage().storage),
    openThread: () => undefined,
  });
  notifications.start();
  await waitFor(() => expect(browser.subscribedWith()).toBeNull());
  expect(browser.closed).toEqual(["one", "two"]);
  notifications.stop();
  Reflect.deleteProperty(globalThis, "Notification");
});
