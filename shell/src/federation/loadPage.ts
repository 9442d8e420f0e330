import type { RemotePages } from "@messageoh/contracts/frontends";
import { loadRemote, registerRemotes } from "@module-federation/enhanced/runtime";
import type { ComponentType } from "react";
import { findEntry, type RemoteName } from "./pointer.ts";

export type PageName = keyof RemotePages;
export type Page<Name extends PageName> = ComponentType<RemotePages[Name]>;

/** From the entry to the page's style: whoever waits is told within 8 seconds that it does not come. */
const ATTEMPT_TIMEOUT_MS = 7500;
/** Whoever has waited longer than this for a failure is asked, not made to wait again. */
const QUICK_FAILURE_MS = 4000;

const loaded = new Map<PageName, unknown>();
const registered = new Set<RemoteName>();

/** A page that was loaded before, for showing it without a moment of nothing. */
export function loadedPage<Name extends PageName>(name: Name): Page<Name> | null {
  return (loaded.get(name) as Page<Name> | undefined) ?? null;
}

/** Loads a page of a remote. A quick failure is tried again once; `isRetry` looks for the remote's address anew. */
export async function loadPage<Name extends PageName>(name: Name, isRetry = false): Promise<Page<Name>> {
  const known = loadedPage(name);
  if (known) return known;
  const startedAt = performance.now();
  try {
    return await loadOnce(name, isRetry);
  } catch (error) {
    console.warn(`${name} could not be loaded`, error);
    if (performance.now() - startedAt > QUICK_FAILURE_MS) throw error;
  }
  // Spread, so that a deployment's hiccup does not bring all open pages back in the same moment.
  await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 600));
  return loadOnce(name, true);
}

async function loadOnce<Name extends PageName>(name: Name, isRetry: boolean): Promise<Page<Name>> {
  const remote = name.split("/")[0] as RemoteName;
  const entry = await register(remote, isRetry);
  try {
    const module = await withTimeout(loadRemote<{ default?: unknown }>(name), ATTEMPT_TIMEOUT_MS);
    if (typeof module?.default !== "function") throw new Error(`${name} exposes no page`);
    loaded.set(name, module.default);
    return module.default as Page<Name>;
  } catch (error) {
    dropUnfinishedLinks(new URL(".", entry).href);
    throw error;
  }
}

async function register(name: RemoteName, isRetry: boolean): Promise<string> {
  const entry = await findEntry(name, isRetry);
  // The runtime remembers a remote and its failures; force makes it forget both.
  if (isRetry || !registered.has(name)) registerRemotes([{ name, entry }], { force: isRetry });
  registered.add(name);
  return entry;
}

async function withTimeout<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// The next attempt would take a stylesheet that is still on its way for one that is there, and would wait for what a
// preload waits for in vain.
function dropUnfinishedLinks(folder: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"], link[rel="preload"]')) {
    if (link.href.startsWith(folder) && !link.sheet) link.remove();
  }
}
