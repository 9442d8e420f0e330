import pLimit from "p-limit";
import { registerRoute } from "workbox-routing/registerRoute.js";
import { fileStrategy, isImmutable, removeOldFiles, storeFiles } from "./files.ts";
import { isPage, loadedPage, respondWithPage, storePage } from "./pages.ts";
import "./push.ts";

// The service worker stores the page and the files that it loads, so that the app opens without a network. Calls,
// sockets and pointers of releases have no route here: the browser requests them as without a service worker.
declare const self: ServiceWorkerGlobalScope;

registerRoute(isPage, respondWithPage);
registerRoute(isImmutable, fileStrategy);

// It keeps no state that a newer one could not read, so a new service worker replaces it at once.
self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  await self.clients.claim();
  // The previous release enabled it. It saved no time, and a preload that fails ends the navigation in Firefox.
  await self.registration.navigationPreload?.disable();
}

/**
 * A page reports that it has loaded: `files` are the addresses of what it loaded. See
 * shell/src/federation/serviceWorker.ts.
 */
interface Loaded {
  type: "loaded";
  /** No service worker controlled the page while it loaded. */
  isUncontrolled: boolean;
  /** Texts of the pointers in the page. A page of the previous release does not report them. */
  pointers?: string[];
  files: string[];
}

self.addEventListener("message", (event) => {
  const data = event.data as Partial<Loaded> | null;
  const client = event.source instanceof Client ? event.source : null;
  if (data?.type !== "loaded" || !client) return;
  event.waitUntil(inTurn(() => store(event, client, data as Loaded)));
});

/** One page after the other, because each removes the files of other releases. */
const inTurn = pLimit(1);

/** Stores the page of a client after its files, so that the stored page never names a file that is not stored. */
async function store(event: ExtendableEvent, client: Client, loaded: Loaded): Promise<void> {
  const { isUncontrolled, pointers = [], files } = loaded;
  const page = await loadedPage(client, isUncontrolled, pointers);
  if (!page) return;
  await storeFiles(event, files);
  const content = await page.clone().text();
  await storePage(page);
  await removeOldFiles(new Set(files), content);
}
