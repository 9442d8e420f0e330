import { join } from "node:path";
import { withLock } from "../../command/cache.ts";
import { PlainError } from "../../command/progress.ts";
import { FRONTENDS } from "../frontends.ts";
import { setServiceWorkerRemoved } from "../live.ts";
import { Store } from "../store.ts";
import type { Target } from "./target.ts";

const TEXTS = {
  remove: "The service worker is removed: each browser clears and unregisters it when it next opens or shows a page.",
  restore: "The service worker of the live shell is served again.",
};

/** Removes the service worker from all browsers until it is restored. Releases of the shell do not restore it. */
export async function changeServiceWorker({ www }: Target, action: string | undefined): Promise<void> {
  if (action !== "remove" && action !== "restore") throw new PlainError("Pass remove or restore.");
  const [shell] = FRONTENDS;
  const store = new Store(www, shell);
  await withLock(join(www, ".state"), shell.name, async () => {
    if (!(await store.pointer())) throw new PlainError("No shell is live: start the stack first.");
    await setServiceWorkerRemoved(store, action === "remove");
  });
  process.stdout.write(`${TEXTS[action]}\n`);
}
