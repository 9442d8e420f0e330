// The gateway serves this in place of the service worker after `npm run service-worker -- remove`. It replaces the
// service worker in every browser, clears what it stored and unregisters itself. Open pages keep running.
declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(removeAll()));

async function removeAll(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await self.registration.unregister();
}

export {};
