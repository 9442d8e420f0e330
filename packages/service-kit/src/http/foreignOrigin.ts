import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a browser says that a page of another origin makes this request. Every browser names the origin of a request
 * that may change something and of a websocket; where it names none, Sec-Fetch-Site tells. A client that is no browser
 * sends neither: nobody can make it act for another, so it is let through to show its cookie.
 */
export function isForeign(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin !== undefined) return origin !== `${headers["x-forwarded-proto"] ?? "http"}://${host}`;
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}
