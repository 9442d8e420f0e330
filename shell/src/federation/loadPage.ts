import { PAGE_PROPS_OLDEST, PAGE_PROPS_VERSION, type RemotePages } from "@messageoh/contracts/frontends";
import { findIncompatibilities } from "@messageoh/contracts/incompatibilities";
import { loadRemote, registerRemotes } from "@module-federation/enhanced/runtime";
import type { ComponentType } from "react";
import { type FoundRelease, findRelease, type RemoteName } from "./pointer.ts";

export type PageName = keyof RemotePages;
export type Page<Name extends PageName> = ComponentType<RemotePages[Name]>;

/** The whole way, a second try included: pointer, manifest, entry, chunk and style. Then a person is asked. */
const DEADLINE_MS = 8000;
/** A failure that comes sooner is tried again unasked. */
const QUICK_FAILURE_MS = 4000;
const PAGE_PROPS = { oldest: PAGE_PROPS_OLDEST, newest: PAGE_PROPS_VERSION };

const loaded = new Map<PageName, unknown>();
const registered = new Map<RemoteName, FoundRelease>();

/** A page that was loaded before, for showing it without a moment of nothing. */
export function loadedPage<Name extends PageName>(name: Name): Page<Name> | null {
  return (loaded.get(name) as Page<Name> | undefined) ?? null;
}

/** Which release of each remote this page runs on. */
export function releasesInUse(): ReadonlyMap<RemoteName, FoundRelease> {
  return registered;
}

/** Loads a page of a remote. A quick failure is tried again once; `isRetry` looks for the remote's address anew. */
export async function loadPage<Name extends PageName>(name: Name, isRetry = false): Promise<Page<Name>> {
  const known = loadedPage(name);
  if (known) return known;
  return withTimeout(loadTwice(name, isRetry), DEADLINE_MS).catch((error: unknown) => {
    dropUnfinishedLinks(name);
    throw error;
  });
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
  // Spread, so that a deployment's hiccup does not bring all open pages back in the same moment.
  await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 600));
  return loadOnce(name, true);
}

async function loadOnce<Name extends PageName>(name: Name, isRetry: boolean): Promise<Page<Name>> {
  const remote = remoteOf(name);
  const release = (!isRetry && registered.get(remote)) || (await findRelease(remote, isRetry));
  const reasons = findIncompatibilities(remote, release.contract, { pages: [name], pageProps: PAGE_PROPS });
  if (reasons.length > 0) throw new Error(`${release.release} does not fit this shell: ${reasons.join("; ")}`);
  // The runtime remembers a remote and its failures; force makes it forget both.
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

async function withTimeout<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// The next attempt would take a stylesheet that is still on its way for one that is there, and would wait for what a
// preload waits for in vain.
function dropUnfinishedLinks(name: PageName): void {
  const entry = registered.get(remoteOf(name))?.entry;
  if (!entry) return;
  const folder = new URL(".", entry).href;
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"], link[rel="preload"]')) {
    if (link.href.startsWith(folder) && !link.sheet) link.remove();
  }
}
