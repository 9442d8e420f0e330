import { SESSION_ID_COOKIE } from "@messageoh/contracts/request";
import { sessionCookieName } from "@messageoh/contracts/users";
import type { Context } from "koa";

/** Returns the scheme that the browser used, as the gateway reports it. */
export const schemeOf = (ctx: Context) => ctx.get("x-forwarded-proto");

/**
 * Sets the session cookie. Scripts cannot read it, and browsers do not send it with requests from other sites. Only a
 * registration or a sign-in may call this: any other response may arrive after a newer sign-in and replace its cookie.
 */
export function setSessionCookie(ctx: Context, token: string, maxAgeSeconds: number): void {
  appendCookie(ctx, sessionCookieName(schemeOf(ctx)), token, maxAgeSeconds);
}

/** Tells scripts the id of the session, so that they can repeat the log-out of this session and of no later one. */
export function setSessionIdCookie(ctx: Context, publicId: string, maxAgeSeconds: number): void {
  appendCookie(ctx, SESSION_ID_COOKIE, publicId, maxAgeSeconds, { isForScripts: true });
}

/**
 * Clears the browser's cache at a log-out. The cookie stays, without effect because its session has ended: a response
 * that arrives late would delete the cookie of a newer sign-in.
 */
export function clearCache(ctx: Context): void {
  ctx.set("clear-site-data", '"cache"');
}

/** Sets a cookie with the attributes that all cookies of this service have. */
export function appendCookie(
  ctx: Context,
  name: string,
  value: string,
  maxAgeSeconds: number,
  { isForScripts = false } = {},
): void {
  const httpOnly = isForScripts ? "" : "; HttpOnly";
  const secure = schemeOf(ctx) === "https" ? "; Secure" : "";
  ctx.append("set-cookie", `${name}=${value}; Path=/${httpOnly}; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`);
}
