import { PAGE_PROPS_OLDEST, PAGE_PROPS_VERSION, type RemotePages } from "@messageoh/contracts/frontends";
import { findIncompatibilities } from "@messageoh/contracts/incompatibilities";
import { loadRemote, registerRemotes } from "@module-federation/enhanced/runtime";
import type { ComponentType } from "react";
import { type FoundRelease, findRelease, type RemoteName } from "./pointer.ts";

export type PageName = keyof RemotePages;
export type Page<Name extends PageName> = ComponentType<RemotePages[Name]>;

/** Limit for loading a page, including the automatic retry: pointer, manifest, entry, chunk and style. */
const DEADLINE_MS = 8000;
/** A failure before this time is retried automatically. */
const QUICK_FAILURE_MS = 4000;
const PAGE_PROPS = { oldest: PAGE_PROPS_OLDEST, newest: PAGE_PROPS_VERSION };

const loaded = new Map<PageName, unknown>();
const loading = new Map<PageName, Promise<unknown>>();
const registered = new Map<RemoteName, FoundRelease>();

/** Returns a page that is already loaded, or `null`, so that it can render without a spinner. */
export function loadedPage<Name extends PageName>(name: Name): Page<Name> | null {
  return (loaded.get(name) as Page<Name> | undefined) ?? null;
}

/** Returns the release of each remote that this page has loaded. */
export function releasesInUse(): ReadonlyMap<RemoteName, FoundRelease> {
  return registered;
}

/**
 * Loads a page of a remote and retries a quick failure once. `isRetry` fetches the pointer of the remote again. Calls
 * share a load that runs: a second one would take an unfinished stylesheet of the first as loaded.
 */
export function loadPage<Name extends PageName>(name: Name, isRetry = false): Promise<Page<Name>> {
  const known = loadedPage(name);
  if (known) return Promise.resolve(known);
  const running = loading.get(name) ?? startLoading(name, isRetry);
  loading.set(name, running);
  return running as Promise<Page<Name>>;
}

function startLoading(name: PageName, isRetry: boolean): Promise<unknown> {
  return withTimeout(loadTwice(name, isRetry))
    .catch((error: unknown) => {
      dropUnfinishedLinks(name);
      throw error;
    })
    .finally(() => loading.delete(name));
}

async function loadTwice<Name extends PageName>(name: Name, isRetry: boolean): Promise<Page<Name>> {
  const startedAt = performance.now();
  try {
    return await loadOnce(name, isRetry);
  } catch (error) {
    console.warn(`${name} could not be loaded`, error);
    if (performance.now() - startedAt > QUICK_FAILURE_MS) throw error;
  }
  dropUnfinishedLinks(name);
  // Jitter, so that open pages do not retry simultaneously after a failed deployment.
  await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 600));
  return loadOnce(name, true);
}

async function loadOnce<Name extends PageName>(name: Name, isRetry: boolean): Promise<Page<Name>> {
  const remote = remoteOf(name);
  const release = (!isRetry && registered.get(remote)) || (await findRelease(remote, isRetry));
  const reasons = findIncompatibilities(remote, release.contract, { pages: [name], pageProps: PAGE_PROPS });
  if (reasons.length > 0) throw new Error(`${release.release} is incompatible with this shell: ${reasons.join("; ")}`);
  // The runtime caches a remote and its failures; `force` clears both.
  if (isRetry || !registered.has(remote)) {
    registerRemotes([{ name: remote, entry: release.entry }], { force: isRetry });
    registered.set(remote, release);
  }
  const module = await loadRemote<{ default?: unknown }>(name);
  if (typeof module?.default !== "function") throw new Error(`${name} exposes no page`);
  loaded.set(name, module.default);
  return module.default as Page<Name>;
}

const remoteOf = (name: PageName): RemoteName => name.split("/")[0] as RemoteName;

async function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// The next attempt would treat an unfinished stylesheet as loaded, and would wait for an unfinished preload.
function dropUnfinishedLinks(name: PageName): void {
  const entry = registered.get(remoteOf(name))?.entry;
  if (!entry) return;
  const folder = new URL(".", entry).href;
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"], link[rel="preload"]')) {
    if (link.href.startsWith(folder) && !link.sheet) link.remove();
  }
}
