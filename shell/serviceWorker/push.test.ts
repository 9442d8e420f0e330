type Listener = (event: object) => void;

const OLD = { endpoint: "https://push.example/old" };
const NEW = { endpoint: "https://push.example/new", keys: { p256dh: "p", auth: "a" } };
const subscription = (json: object) => ({ toJSON: () => json });
const ON = { public_key: "the key", is_on: true, shows_text: true };

const listeners = new Map<string, Listener>();
const subscribe = jest.fn(async (_options: object) => subscription(NEW));
const worker = {
  addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  registration: { pushManager: { subscribe }, showNotification: jest.fn(), getNotifications: jest.fn() },
  clients: { matchAll: jest.fn(async (): Promise<object[]> => []), openWindow: jest.fn() },
  navigator: {},
};

beforeAll(() => {
  Object.assign(globalThis, { self: worker });
  // Not imported, because the types of a service worker contradict those of a page.
  jest.requireActual("./push.ts");
});
beforeEach(() => jest.clearAllMocks());
afterEach(() => jest.restoreAllMocks());

/** Fires an event; ends when the service worker has handled it. */
async function fire(type: string, event: object): Promise<void> {
  const running: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => running.push(work) });
  expect(running).toHaveLength(1);
  await Promise.all(running);
}

it("lists notifications only when no push is being shown, also after a failure", async () => {
  const steps: string[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const shows = [first.promise, second.promise];
  worker.registration.showNotification.mockImplementation((title: string) => {
    steps.push(`show ${title}`);
    return shows.shift();
  });
  worker.registration.getNotifications.mockImplementation(async () => {
    steps.push("list");
    return [];
  });
  const push = (name: string) => fire("push", { data: { json: () => ({ thread_id: name, friend_id: name, name }) } });
  const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

  const all = [push("Ann"), push("Bob"), push("Cleo")].map((handled) => handled.catch(String));
  await soon();
  expect(steps).toEqual(["show Ann"]);
  first.reject(new Error("No permission"));
  await soon();
  expect(steps).toEqual(["show Ann", "show Bob"]);
  second.resolve();
  expect(await Promise.all(all)).toEqual(["Error: No permission", undefined, undefined]);
  expect(steps).toEqual(["show Ann", "show Bob", "list", "show Cleo", "list"]);
});

it.each(["/", "/login", "/register", "/home", "/home/bob"])(
  "opens the thread of a notification in the chat of a page that was loaded at %s",
  async (path) => {
    const page = { url: `https://chat.example${path}`, postMessage: jest.fn(), focus: jest.fn() };
    worker.clients.matchAll.mockResolvedValueOnce([{ url: "https://chat.example/homework" }, page]);
    await fire("notificationclick", { notification: { close: jest.fn(), data: { friend_id: "bob" } } });
    expect(page.postMessage).toHaveBeenCalledWith({ type: "notification-clicked", friend_id: "bob" });
    expect(page.focus).toHaveBeenCalled();
    expect(worker.clients.openWindow).not.toHaveBeenCalled();
  },
);

/** Replaces a subscription in a session that has this state at the server; returns the body of each registration. */
async function replace(event: object, state: object | null) {
  const registered: unknown[] = [];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (url, options) => {
    expect(url).toBe("/messageoh/push");
    if (options?.method === "PUT") registered.push(JSON.parse(String(options.body)));
    return state ? Response.json(state) : Response.json({ error: "Please log in" }, { status: 401 });
  });
  await fire("pushsubscriptionchange", event);
  return registered;
}

describe("a push subscription that the push service has replaced or ended", () => {
  it("registers the new one, with the user's choice about the text", async () => {
    expect(await replace({ oldSubscription: OLD, newSubscription: subscription(NEW) }, ON)).toEqual([
      { ...NEW, shows_text: true },
    ]);
    expect(subscribe).not.toHaveBeenCalled();
  });

  it("subscribes again with the server's key if the browser brings no new one", async () => {
    expect(await replace({ oldSubscription: null, newSubscription: null }, ON)).toEqual([{ ...NEW, shows_text: true }]);
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "the key" });
  });

  it("subscribes again if the push service has told the server first, which then has none", async () => {
    const state = { ...ON, is_on: false, shows_text: false };
    expect(await replace({ oldSubscription: OLD, newSubscription: null }, state)).toEqual([
      { ...NEW, shows_text: false },
    ]);
  });

  it.each([
    ["the session has ended", OLD, null],
    ["the server sends none", OLD, { ...ON, public_key: null }],
    ["the user had none", null, { ...ON, is_on: false }],
  ])("registers nothing if %s", async (_, oldSubscription, state) => {
    expect(await replace({ oldSubscription, newSubscription: subscription(NEW) }, state)).toEqual([]);
    expect(subscribe).not.toHaveBeenCalled();
  });
});
