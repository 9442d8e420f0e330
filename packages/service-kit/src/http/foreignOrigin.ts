import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns whether a page of another origin makes this request, as the browser reports it. Browsers send `Origin` with
 * every request that is not GET or HEAD and with every WebSocket; without it, `Sec-Fetch-Site` counts. Clients that are
 * not browsers send neither. They are not foreign, because no page can make them send a user's cookie.
 */
export function isForeign(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin !== undefined) return origin !== `${headers["x-forwarded-proto"] ?? "http"}://${host}`;
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}
