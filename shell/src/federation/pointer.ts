import type { RemoteContract, RemotePointer } from "@messageoh/contracts/releases";
import { rolloutBucket } from "./rolloutBucket.ts";

/** A release as the shell loads it. */
export interface FoundRelease {
  release: string;
  /** The absolute address of its entry script. */
  entry: string;
  contract: RemoteContract;
}

export type RemoteName = "mfe_auth" | "mfe_chat";

const POINTER_PATHS = {
  mfe_auth: "/mfe-auth/current.json",
  mfe_chat: "/mfe-chat/current.json",
  shell: "/shell/current.json",
};
/** Anything on the way to a page that takes longer counts as failed. */
export const STEP_TIMEOUT_MS = 7000;

/**
 * The release of a remote that this browser gets: from the pointer that the gateway put into the page, or from the
 * pointer itself when that one is unreadable or `isFresh` asks for today's.
 */
export async function findRelease(remote: RemoteName, isFresh: boolean): Promise<FoundRelease> {
  const inlined = isFresh ? null : parsePointer(remote, inlinedPointer(remote));
  if (inlined) return inlined;
  const fetched = parsePointer(remote, await fetchPointer(remote));
  if (!fetched) throw new Error(`${POINTER_PATHS[remote]} is no pointer to ${remote}`);
  return fetched;
}

/** The text of a pointer as a deployment wrote it last. */
export async function fetchPointer(name: keyof typeof POINTER_PATHS): Promise<string> {
  const response = await fetchWithin(STEP_TIMEOUT_MS, POINTER_PATHS[name], { cache: "no-cache" });
  if (!response.ok) throw new Error(`${POINTER_PATHS[name]} answered ${response.status}`);
  return response.text();
}

/** The text of a pointer as it was when this page was loaded. */
export function inlinedPointer(name: keyof typeof POINTER_PATHS): string {
  return document.getElementById(`pointer-${name}`)?.textContent ?? "";
}

/** Null for anything but a pointer to this remote on this origin. `bucket` decides who gets a canary. */
export function parsePointer(
  remote: RemoteName,
  text: string,
  bucket = rolloutBucket(remote),
  origin = location.origin,
): FoundRelease | null {
  try {
    const pointer: Partial<RemotePointer> = JSON.parse(text);
    if (pointer.name !== remote) return null;
    const { canary } = pointer;
    return (canary && bucket < canary.percent && readRelease(canary, origin)) || readRelease(pointer, origin);
  } catch {
    return null;
  }
}

function readRelease(pointer: Partial<RemotePointer>, origin: string): FoundRelease | null {
  const { release, entry, contract, manifest } = pointer;
  if (typeof release !== "string" || typeof entry !== "string" || !isContract(contract)) return null;
  const url = new URL(manifest?.metaData.remoteEntry.name ?? "", new URL(entry, origin));
  return manifest && url.origin === origin ? { release, entry: url.href, contract } : null;
}

const isContract = (value: Partial<RemoteContract> | undefined): value is RemoteContract =>
  Array.isArray(value?.exposes) && typeof value.pageProps === "number";

async function fetchWithin(timeoutMs: number, url: string, init: RequestInit): Promise<Response> {
  const aborter = new AbortController();
  // Not AbortSignal.timeout: this timer stands still when a test stops the page's clock.
  setTimeout(() => aborter.abort(new Error(`${url} did not answer within ${timeoutMs} ms`)), timeoutMs);
  return fetch(url, { ...init, signal: aborter.signal });
}
