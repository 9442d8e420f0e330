import { join } from "node:path";
import { withLock } from "@messageoh/cli/cache";
import { PlainError } from "@messageoh/cli/progress";
import { FRONTENDS } from "@messageoh/frontend-build/releases/frontends";
import { publishServiceWorker } from "@messageoh/frontend-build/releases/page";
import { Store } from "@messageoh/frontend-build/releases/store";
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
    const live = await store.pointer();
    if (!live) throw new PlainError("No shell is live: start the stack first.");
    const { isServiceWorkerRemoved: _, ...state } = await store.state();
    await store.setState(action === "remove" ? { ...state, isServiceWorkerRemoved: true } : state);
    await publishServiceWorker(store, live.release);
  });
  process.stdout.write(`${TEXTS[action]}\n`);
}
