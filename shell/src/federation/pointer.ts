/** Where the current release of a remote lies. A deployment writes it, and only it. */
interface Pointer {
  name: string;
  release: string;
  /** The path of the release's manifest. */
  entry: string;
  /** What the shell needs of that manifest; the whole of it is here, so that reading it costs no request. */
  manifest: { metaData: { remoteEntry: { name: string } } };
}

export type RemoteName = "mfe_auth" | "mfe_chat";

const POINTER_PATHS: Record<RemoteName, string> = {
  mfe_auth: "/mfe-auth/current.json",
  mfe_chat: "/mfe-chat/current.json",
};
const POINTER_TIMEOUT_MS = 7000;

/**
 * The absolute address of a remote's entry script: from the pointer that the gateway put into the page, or from the
 * pointer itself when that one is unreadable or `isFresh` asks for today's.
 */
export async function findEntry(remote: RemoteName, isFresh: boolean): Promise<string> {
  const inlined = isFresh ? null : parsePointer(remote, inlinedText(remote));
  if (inlined) return inlined;
  const signal = AbortSignal.timeout(POINTER_TIMEOUT_MS);
  const response = await fetch(POINTER_PATHS[remote], { cache: "no-cache", signal });
  if (!response.ok) throw new Error(`${POINTER_PATHS[remote]} answered ${response.status}`);
  const entry = parsePointer(remote, await response.text());
  if (!entry) throw new Error(`${POINTER_PATHS[remote]} is no pointer to ${remote}`);
  return entry;
}

/** Null for anything but a pointer to this remote on this origin. */
export function parsePointer(remote: RemoteName, text: string, origin = location.origin): string | null {
  try {
    const { name, entry, manifest }: Pointer = JSON.parse(text);
    if (name !== remote || typeof entry !== "string") return null;
    const url = new URL(manifest.metaData.remoteEntry.name, new URL(entry, origin));
    return url.origin === origin ? url.href : null;
  } catch {
    return null;
  }
}

function inlinedText(remote: RemoteName): string {
  return document.getElementById(`pointer-${remote}`)?.textContent ?? "";
}
