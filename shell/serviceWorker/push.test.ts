type Listener = (event: object) => void;

const OLD = { endpoint: "https://push.example/old" };
const NEW = { endpoint: "https://push.example/new", keys: { p256dh: "p", auth: "a" } };
const subscription = (json: object) => ({ toJSON: () => json });
const ON = { public_key: "the key", is_on: true, shows_text: true };

const listeners = new Map<string, Listener>();
const subscribe = jest.fn(async (_options: object) => subscription(NEW));
const worker = {
  addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  registration: { pushManager: { subscribe } },
};

beforeAll(() => {
  Object.assign(globalThis, { self: worker });
  // Not imported, because the types of a service worker contradict those of a page.
  jest.requireActual("./push.ts");
});
beforeEach(() => subscribe.mockClear());
afterEach(() => jest.restoreAllMocks());

/** Fires the event in a browser whose session has this state at the server; returns the body of each registration. */
async function fire(event: object, state: object | null) {
  const registered: unknown[] = [];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (url, options) => {
    expect(url).toBe("/messageoh/push");
    if (options?.method === "PUT") registered.push(JSON.parse(String(options.body)));
    return state ? Response.json(state) : Response.json({ error: "Please log in" }, { status: 401 });
  });
  const running: Promise<unknown>[] = [];
  listeners.get("pushsubscriptionchange")?.({ ...event, waitUntil: (work: Promise<unknown>) => running.push(work) });
  expect(running).toHaveLength(1);
  await Promise.all(running);
  return registered;
}

describe("a push subscription that the push service has replaced or ended", () => {
  it("registers the new one, with the user's choice about the text", async () => {
    expect(await fire({ oldSubscription: OLD, newSubscription: subscription(NEW) }, ON)).toEqual([
      { ...NEW, shows_text: true },
    ]);
    expect(subscribe).not.toHaveBeenCalled();
  });

  it("subscribes again with the server's key if the browser brings no new one", async () => {
    expect(await fire({ oldSubscription: null, newSubscription: null }, ON)).toEqual([{ ...NEW, shows_text: true }]);
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "the key" });
  });

  it("subscribes again if the push service has told the server first, which then has none", async () => {
    const state = { ...ON, is_on: false, shows_text: false };
    expect(await fire({ oldSubscription: OLD, newSubscription: null }, state)).toEqual([{ ...NEW, shows_text: false }]);
  });

  it.each([
    ["the session has ended", OLD, null],
    ["the server sends none", OLD, { ...ON, public_key: null }],
    ["the user had none", null, { ...ON, is_on: false }],
  ])("registers nothing if %s", async (_, oldSubscription, state) => {
    expect(await fire({ oldSubscription, newSubscription: subscription(NEW) }, state)).toEqual([]);
    expect(subscribe).not.toHaveBeenCalled();
  });
});
