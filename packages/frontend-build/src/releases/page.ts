import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replace } from "./files.ts";
import type { Release, Store } from "./store.ts";

const SERVICE_WORKER = "service-worker.js";
/** Unregisters the service worker in every browser. */
const REMOVAL = "service-worker-removal.js";

/** Publishes the files of a release of the shell that have fixed addresses: the page and those that the page names. */
export async function publishPage(store: Store, release: Release): Promise<void> {
  await publish(store, release.release, "manifest.webmanifest");
  await publishServiceWorker(store, release.release);
  await publish(store, release.release, "index.html");
}

/**
 * Serves the service worker of a shell's release or, if the operator has removed it, the one that unregisters itself. This
 * holds for later releases too. The releases before the first service worker leave the served one as it is.
 */
export async function publishServiceWorker(store: Store, release: string): Promise<void> {
  const { isServiceWorkerRemoved } = await store.state();
  await publish(store, release, isServiceWorkerRemoved ? REMOVAL : SERVICE_WORKER, SERVICE_WORKER);
}

async function publish(store: Store, release: string, file: string, as = file): Promise<void> {
  const source = join(store.folder(release), file);
  if (file === "index.html" || existsSync(source)) await replace(join(store.dir, as), await readFile(source));
}
