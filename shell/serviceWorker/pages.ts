import type { RouteHandlerCallbackOptions, RouteMatchCallbackOptions, WorkboxPlugin } from "workbox-core/types.js";
import { NetworkFirst } from "workbox-strategies/NetworkFirst.js";

const CACHE = "messageoh-page-1";
/** All routes have the same page. */
const ADDRESS = "/";
/** After this time the stored page is shown. The browser still loads the new one, for the next visit. */
const TIMEOUT_S = 4;
const LOADING_MAX = 8;
const NO_PAGE = /^\/(?:messageoh|socket\.io|assets|mfe-auth|mfe-chat|healthz|livez)(?:\/|$)|\.\w+$/;

/** Pages from the network, by client id, until their files are stored. */
const loading = new Map<string, Response>();

const strategy = new NetworkFirst({
  cacheName: CACHE,
  networkTimeoutSeconds: TIMEOUT_S,
  plugins: [
    {
      cacheKeyWillBeUsed: async () => ADDRESS,
      // The page is stored when it has loaded.
      cacheWillUpdate: async () => null,
      cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
        if (cachedResponse && state) state.isStored = true;
        return cachedResponse;
      },
      handlerWillRespond: async ({ event, response, state }) => {
        if (!state?.isStored && isHtml(response)) remember((event as FetchEvent).resultingClientId, response.clone());
        return response;
      },
    } satisfies WorkboxPlugin,
  ],
});

/** Returns whether a request is a navigation to a page of the app. */
export function isPage({ request, url, sameOrigin }: RouteMatchCallbackOptions): boolean {
  return sameOrigin && request.mode === "navigate" && !NO_PAGE.test(url.pathname);
}

/** Responds with the page from the network, or the stored one if the network or the server fails. */
export async function respondWithPage({ event, request }: RouteHandlerCallbackOptions): Promise<Response> {
  const response = await strategy.handle({ event: event as FetchEvent, request });
  if (response.status < 500) return response;
  return (await (await caches.open(CACHE)).match(ADDRESS)) ?? response;
}

/**
 * Returns the page that a client has loaded, or `undefined` if it is the stored one or the server has another one by
 * now.
 * @param isUncontrolled whether the client loaded its page without this service worker
 * @param pointers texts of the pointers in that page
 */
export async function loadedPage(
  { id }: Client,
  isUncontrolled: boolean,
  pointers: readonly string[],
): Promise<Response | undefined> {
  const known = loading.get(id);
  if (known) return known.clone();
  if (!isUncontrolled) return undefined;
  const response = await fetch(ADDRESS, { cache: "no-cache" }).catch(() => undefined);
  if (!response || !isHtml(response)) return undefined;
  const content = await response.clone().text();
  return pointers.every((pointer) => content.includes(pointer)) ? response : undefined;
}

export async function storePage(page: Response): Promise<void> {
  await (await caches.open(CACHE)).put(ADDRESS, page);
}

function remember(clientId: string, page: Response): void {
  loading.set(clientId, page);
  const [oldest] = loading.keys();
  if (loading.size > LOADING_MAX && oldest !== undefined) loading.delete(oldest);
}

const isHtml = ({ status, headers }: Response) =>
  status === 200 && (headers.get("content-type") ?? "").startsWith("text/html");
