import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RemotePointer, RemoteRelease } from "@messageoh/contracts/releases";
import { replace } from "./files.ts";
import { publishPage, publishServiceWorker } from "./page.ts";
import type { Release, State, Store } from "./store.ts";

/** The live release and the five before it, which open pages may still load from. */
const KEPT_RELEASES = 6;
const HISTORY_LENGTH = 100;

/** Makes a release live atomically and ends a canary. */
export async function makeLive(store: Store, release: Release): Promise<void> {
  const since = new Date().toISOString();
  if (store.frontend.remote) {
    await writePointer(store, { name: store.frontend.remote, ...(await asRemote(store, release)), since });
  } else {
    // Browsers load the page; open pages read the pointer to detect a new release.
    const isServiceWorkerRemoved = isRemovedIn(await store.pointer());
    await publishPage(store, release.release, isServiceWorkerRemoved);
    const pointer = { name: "shell", release: release.release, since, contract: release.contract };
    await writePointer(store, { ...pointer, isServiceWorkerRemoved });
  }
  await remember(store, { release: release.release, at: since });
}

/** Removes the service worker from all browsers, or serves it again. Later releases of the shell keep this. */
export async function setServiceWorkerRemoved(store: Store, isServiceWorkerRemoved: boolean): Promise<void> {
  const pointer = await store.pointer();
  if (!pointer) throw new Error("The shell has no release yet");
  await publishServiceWorker(store, pointer.release, isServiceWorkerRemoved);
  await writePointer(store, { ...pointer, isServiceWorkerRemoved });
}

/** Returns whether a pointer of the shell says that the service worker is removed from all browsers. */
export const isRemovedIn = (pointer: Awaited<ReturnType<Store["pointer"]>>): boolean =>
  pointer !== undefined && "isServiceWorkerRemoved" in pointer && pointer.isServiceWorkerRemoved === true;

/** Serves a release of a remote to `percent` % of the browsers. */
export async function startCanary(store: Store, release: Release, percent: number): Promise<void> {
  const { canary, ...pointer } = await remotePointerOf(store);
  const since = canary?.release === release.release ? canary.since : new Date().toISOString();
  await writePointer(store, { ...pointer, canary: { ...(await asRemote(store, release)), percent, since } });
  await remember(store, { release: release.release, at: since, isCanary: true });
}

/** Serves the live release to every browser again. */
export async function endCanary(store: Store): Promise<void> {
  const { canary: _, ...pointer } = await remotePointerOf(store);
  await writePointer(store, pointer);
}

/** Returns the target of a rollback: the release that was live before `release` was live for the first time. */
export function releaseBefore(state: State, release: string): string | undefined {
  const lives = state.history.filter(({ isCanary }) => !isCanary);
  return lives[lives.findIndex((entry) => entry.release === release) - 1]?.release;
}

/** Removes old releases, except the live one, the canary and the five before them. */
export async function prune(store: Store): Promise<void> {
  const recent = (await store.state()).history.map(({ release }) => release).reverse();
  const pointer = await store.pointer();
  const canary = pointer && "canary" in pointer ? pointer.canary?.release : undefined;
  const kept = new Set([...[...new Set(recent)].slice(0, KEPT_RELEASES), canary, pointer?.release]);
  for (const entry of await readdir(store.dir, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === "assets" || kept.has(entry.name)) continue;
    await rm(store.folder(entry.name), { recursive: true });
  }
  if (!store.frontend.remote) await pruneAssets(store);
}

async function pruneAssets(store: Store): Promise<void> {
  const needed = new Set<string>();
  for (const { release } of await store.releases()) {
    for (const file of await readdir(join(store.folder(release), "assets"))) needed.add(file);
  }
  for (const file of await readdir(join(store.dir, "assets"))) {
    if (!needed.has(file)) await rm(join(store.dir, "assets", file));
  }
}

/** Returns the pointer of a remote. Throws if the remote has never been released. */
export async function remotePointerOf(store: Store): Promise<RemotePointer> {
  const pointer = await store.pointer();
  if (!pointer || pointer.name === "shell") throw new Error(`${store.frontend.name} has no release yet`);
  return pointer as RemotePointer;
}

/** Returns the part of a pointer that describes a release of a remote. */
export async function asRemote(store: Store, { release, contract }: Release): Promise<RemoteRelease> {
  const manifest = JSON.parse(await readFile(join(store.folder(release), "mf-manifest.json"), "utf8"));
  const entry = `/${store.frontend.name}/${release}/mf-manifest.json`;
  return { release, entry, contract: contract as RemoteRelease["contract"], manifest };
}

async function writePointer(store: Store, pointer: object): Promise<void> {
  // The gateway inserts the pointer into a script element, which `</script>` in a text would end.
  await replace(join(store.dir, "current.json"), `${JSON.stringify(pointer).replaceAll("<", "\\u003c")}\n`);
}

async function remember(store: Store, entry: State["history"][number]): Promise<void> {
  const state = await store.state();
  const last = state.history.at(-1);
  if (last?.release === entry.release && last.isCanary === entry.isCanary) return;
  await store.setState({ ...state, history: [...state.history, entry].slice(-HISTORY_LENGTH) });
}
