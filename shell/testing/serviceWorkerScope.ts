type Listener = (event: object) => void;

const PAGE = { headers: { "content-type": "text/html" } };

/** Returns a page that names its release. */
export const pageOf = (release: string): Response => new Response(`<p>/mfe-chat/${release}/</p>`, PAGE);

const addressOf = (request: Request | string): string =>
  typeof request === "string" ? new URL(request, location.href).href : request.url;

/** As in a browser, takes an address relative to the script. */
class LocalRequest extends Request {
  constructor(request: Request | string, options?: RequestInit) {
    super(typeof request === "string" ? addressOf(request) : request, options);
  }
}

class FakeCache {
  readonly entries = new Map<string, Response>();

  async put(request: Request | string, response: Response): Promise<void> {
    this.entries.set(addressOf(request), response);
  }
  async match(request: Request | string): Promise<Response | undefined> {
    return this.entries.get(addressOf(request))?.clone();
  }
  async delete(request: Request | string): Promise<boolean> {
    return this.entries.delete(addressOf(request));
  }
  async keys(): Promise<Request[]> {
    return [...this.entries.keys()].map((url) => new Request(url));
  }
}

class FakeEvent {
  readonly work: Promise<unknown>[] = [];
  constructor(parts: object) {
    Object.assign(this, parts);
  }
  waitUntil(work: Promise<unknown>): void {
    this.work.push(work);
  }
  /** Ends when the service worker has handled the event. */
  async handled(): Promise<void> {
    for (const work of this.work) await work;
  }
}

class FakeFetchEvent extends FakeEvent {
  response: Promise<Response> | undefined;
  respondWith(response: Promise<Response>): void {
    this.response = response;
  }
}

class FakeClient {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

/**
 * Installs the subset of a service worker's global scope that `worker.ts` uses, with a network whose responses a test
 * sets. An earlier release of the service worker has enabled navigation preload.
 */
export function installServiceWorkerScope() {
  const listeners = new Map<string, Listener[]>();
  const stores = new Map<string, FakeCache>();
  const open = async (name: string): Promise<FakeCache> => {
    const store = stores.get(name) ?? new FakeCache();
    stores.set(name, store);
    return store;
  };
  const network = { respond: async (_path: string): Promise<Response> => Response.error() };
  const navigationPreload = {
    isOn: true,
    async enable() {
      this.isOn = true;
    },
    async disable() {
      this.isOn = false;
    },
  };
  const match = async (request: Request | string, { cacheName = "" } = {}) => (await open(cacheName)).match(request);
  const scope = {
    caches: { open, match },
    addEventListener: (type: string, listener: Listener) =>
      listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    __WB_DISABLE_DEV_LOGS: true,
    registration: { scope: "http://localhost/", navigationPreload },
    clients: { claim: async () => undefined },
    skipWaiting: async () => undefined,
  };
  Object.assign(globalThis, {
    __WB_DISABLE_DEV_LOGS: true,
    ...{ self: scope, registration: scope.registration, location: new URL("http://localhost/service-worker.js") },
    ...{ ExtendableEvent: FakeEvent, FetchEvent: FakeFetchEvent, Client: FakeClient },
    ...{ caches: scope.caches, Request: LocalRequest },
    // As in a browser, a request that the network refuses rejects.
    fetch: async (request: Request | string) => {
      const response = await network.respond(new URL(addressOf(request)).pathname);
      if (response.type === "error") throw new TypeError("Failed to fetch");
      return response;
    },
  });

  function fire<Event extends FakeEvent>(type: string, event: Event): Event {
    for (const listener of listeners.get(type) ?? []) listener(event);
    return event;
  }

  return {
    network,
    activate: () => fire("activate", new FakeEvent({})).handled(),
    /** Opens a page; a preload that the network refuses is a network error, as in Firefox. */
    async navigate(path: string, resultingClientId = "page"): Promise<Response | undefined> {
      const request = Object.defineProperty(new Request(`http://localhost${path}`), "mode", { value: "navigate" });
      const preloadResponse = navigationPreload.isOn ? network.respond(path) : Promise.resolve(undefined);
      return fire("fetch", new FakeFetchEvent({ request, resultingClientId, preloadResponse })).response;
    },
    /** Reports that a page has loaded. */
    loaded: (clientId: string, files: string[], others: object = {}) =>
      fire(
        "message",
        new FakeEvent({ source: new FakeClient(clientId), data: { type: "loaded", files, ...others } }),
      ).handled(),
    /** Returns the paths of everything that is stored. */
    stored: (): string[] =>
      [...stores.values()].flatMap(({ entries }) => [...entries.keys()].map((url) => new URL(url).pathname)),
  };
}
