import type { RemoteContract, RemotePointer } from "@messageoh/contracts/releases";
import { rolloutBucket } from "./rolloutBucket.ts";

/** Release that the shell loads. */
export interface FoundRelease {
  release: string;
  /** Absolute URL of the entry script. */
  entry: string;
  contract: RemoteContract;
}

export type RemoteName = "mfe_auth" | "mfe_chat";

const POINTER_PATHS = {
  mfe_auth: "/mfe-auth/current.json",
  mfe_chat: "/mfe-chat/current.json",
  shell: "/shell/current.json",
};
/** Limit for each request while a page loads. */
export const STEP_TIMEOUT_MS = 7000;

/**
 * Returns the release of a remote for this browser. It reads the pointer that the gateway inlined into the page, or
 * fetches the pointer if the inlined one is invalid or `isFresh` is set.
 */
export async function findRelease(remote: RemoteName, isFresh: boolean): Promise<FoundRelease> {
  const inlined = isFresh ? null : parsePointer(remote, inlinedPointer(remote));
  if (inlined) return inlined;
  const fetched = parsePointer(remote, await fetchPointer(remote));
  if (!fetched) throw new Error(`${POINTER_PATHS[remote]} is not a pointer to ${remote}`);
  return fetched;
}

/** Returns the text of the current pointer from the server. */
export async function fetchPointer(name: keyof typeof POINTER_PATHS): Promise<string> {
  const response = await fetchInTime(POINTER_PATHS[name]);
  if (!response.ok) throw new Error(`${POINTER_PATHS[name]} responded with ${response.status}`);
  return response.text();
}

/** Returns the text of the pointer that the gateway inlined into this page. */
export function inlinedPointer(name: keyof typeof POINTER_PATHS): string {
  return document.getElementById(`pointer-${name}`)?.textContent ?? "";
}

/**
 * Returns `null` for anything but a pointer to this remote on this origin. `bucket` selects the canary or the release.
 */
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

function fetchInTime(url: string): Promise<Response> {
  const aborter = new AbortController();
  // Not AbortSignal.timeout: tests with fake timers control this timer.
  setTimeout(() => aborter.abort(new Error(`${url} did not respond within ${STEP_TIMEOUT_MS} ms`)), STEP_TIMEOUT_MS);
  return fetch(url, { cache: "no-cache", signal: aborter.signal });
}
