import type { IncomingHttpHeaders } from "node:http";
import { sessionCookieName } from "@messageoh/contracts/users";

/** Returns the session token in the headers of a request that came through the gateway, if any. */
export const readSessionToken = (headers: IncomingHttpHeaders): string | undefined =>
  readCookie(headers.cookie, sessionCookieName(headers["x-forwarded-proto"]));

/** Returns the value of a cookie in a Cookie header, or `undefined` if it is not there. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
