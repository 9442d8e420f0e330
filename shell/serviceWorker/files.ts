import type { RouteMatchCallbackOptions, WorkboxPlugin } from "workbox-core/types.js";
import { CacheFirst } from "workbox-strategies/CacheFirst.js";

const CACHE = "messageoh-files-1";
const FILES_MAX = 150;
/** As transferred, which is compressed. */
const BYTES_MAX = 8 * 1024 * 1024;
/** The shell's assets and everything in the release folder of a remote, except manifest and pointer. */
const IMMUTABLE = /^\/(?:assets\/|mfe-(?:auth|chat)\/[^/]+\/(?!mf-(?:manifest|stats)\.json$))/;
const RELEASE_FOLDER = /^\/mfe-(?:auth|chat)\/[^/]+\//;

export const fileStrategy = new CacheFirst({
  cacheName: CACHE,
  plugins: [
    {
      cacheWillUpdate: async ({ response }) => (isFile(response) ? response : null),
    } satisfies WorkboxPlugin,
  ],
});

/** Returns whether the file at an address never changes, because its name contains its hash. */
export function isImmutable({ url, sameOrigin }: Pick<RouteMatchCallbackOptions, "url" | "sameOrigin">): boolean {
  return sameOrigin && IMMUTABLE.test(url.pathname);
}

/** Stores those of the files that never change. Rejects if one cannot be loaded. */
export async function storeFiles(event: ExtendableEvent, addresses: readonly string[]): Promise<void> {
  const files = addresses
    .map((address) => new URL(address, location.href))
    .filter((url) => isImmutable({ url, sameOrigin: url.origin === location.origin }));
  await Promise.all(
    files.map(async ({ href }) => {
      const [response, stored] = fileStrategy.handleAll({ event, request: new Request(href) });
      if (!isFile(await response)) throw new Error(`${href} cannot be loaded`);
      await stored;
    }),
  );
}

// A page of the app that the gateway sends for a missing file is not that file.
const isFile = ({ status, headers }: Response) =>
  status === 200 && !(headers.get("content-type") ?? "").startsWith("text/html");

/**
 * Removes the files of releases that the page does not name, and the oldest files above the limits.
 * @param used addresses of files that are never removed
 */
export async function removeOldFiles(used: ReadonlySet<string>, page: string): Promise<void> {
  const cache = await caches.open(CACHE);
  let [count, bytes] = [0, 0];
  // Latest first.
  for (const request of [...(await cache.keys())].reverse()) {
    const [folder] = RELEASE_FOLDER.exec(new URL(request.url).pathname) ?? [];
    const size = Number((await cache.match(request))?.headers.get("content-length") ?? 0);
    const isOld = folder !== undefined && !page.includes(folder);
    const isExcess = count + 1 > FILES_MAX || bytes + size > BYTES_MAX;
    if (!used.has(request.url) && (isOld || isExcess)) {
      await cache.delete(request);
    } else {
      count += 1;
      bytes += size;
    }
  }
}
