import type { ShellPointer } from "@messageoh/contracts/releases";
import { trustedScriptUrl } from "../trustedScriptUrl.ts";
import { inlinedPointer } from "./pointer.ts";

const ADDRESS = "/service-worker.js";
const POINTER_NAMES = ["shell", "mfe_auth", "mfe_chat"] as const;
/** Whether this page was loaded without the service worker. The first one takes control of the page later. */
const isUncontrolled = !navigator.serviceWorker?.controller;
let registering: Promise<unknown> | undefined;

/**
 * Registers the service worker and reports to it what this page has loaded, so that the app opens without a network.
 * Call it whenever a page is shown. Rejects if the browser refuses the service worker; everything else works without
 * it.
 */
export async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || isRemoved()) return;
  registering ??= register();
  await registering;
  const { active } = await navigator.serviceWorker.ready;
  const files = (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    // Safari does not know the status.
    .filter(({ responseStatus = 200 }) => responseStatus === 200)
    .map(({ name }) => name);
  const pointers = POINTER_NAMES.map(inlinedPointer);
  active?.postMessage({ type: "loaded", isUncontrolled, pointers, files });
}

/**
 * Returns whether the operator has removed the service worker. A registration would keep it from unregistering itself.
 */
function isRemoved(): boolean {
  const pointer: Partial<ShellPointer> = JSON.parse(inlinedPointer("shell"));
  return pointer.isServiceWorkerRemoved === true;
}

async function register(): Promise<void> {
  await navigator.serviceWorker.register(trustedScriptUrl(ADDRESS), { updateViaCache: "none" });
  // A page that stays open for days must notice a new service worker too, or its removal.
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState !== "visible") return;
    const registration = await navigator.serviceWorker.getRegistration();
    // Fails without a network.
    await registration?.update().catch(() => undefined);
  });
}
