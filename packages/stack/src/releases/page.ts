import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replace } from "./files.ts";
import type { Store } from "./store.ts";

const SERVICE_WORKER = "service-worker.js";
/** Unregisters the service worker in every browser. */
const REMOVAL = "service-worker-removal.js";

/** Publishes the files of a release of the shell that have fixed addresses: the page and those that the page names. */
export async function publishPage(store: Store, release: string, isServiceWorkerRemoved: boolean): Promise<void> {
  await publish(store, release, "manifest.webmanifest");
  await publishServiceWorker(store, release, isServiceWorkerRemoved);
  await replace(join(store.dir, "index.html"), await readFile(join(store.folder(release), "index.html")));
}

/** Publishes the service worker of a release of the shell or, if it is removed, the one that unregisters itself. */
export function publishServiceWorker(store: Store, release: string, isRemoved: boolean): Promise<void> {
  return publish(store, release, isRemoved ? REMOVAL : SERVICE_WORKER, SERVICE_WORKER);
}

/** Publishes a file. A release that is older than the file leaves the published one as it is. */
async function publish(store: Store, release: string, file: string, as = file): Promise<void> {
  const source = join(store.folder(release), file);
  if (existsSync(source)) await replace(join(store.dir, as), await readFile(source));
}
