import { sessionCookieName } from "@messageoh/contracts/users";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { Context } from "koa";

export const schemeOf = (ctx: Context) => ctx.get("x-forwarded-proto");

export const readSessionToken = (ctx: Context) => readCookie(ctx.get("cookie"), sessionCookieName(schemeOf(ctx)));

/** Hands a session's token to the browser, out of reach of scripts and of other sites. */
export function setSessionCookie(ctx: Context, token: string, expiresAt: Date): void {
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1_000);
  appendCookie(ctx, sessionCookieName(schemeOf(ctx)), token, seconds);
}

/** Takes the session's token from the browser, and what the browser has cached. */
export function clearSessionCookie(ctx: Context): void {
  appendCookie(ctx, sessionCookieName(schemeOf(ctx)), "", 0);
  ctx.set("clear-site-data", '"cache"');
}

export function appendCookie(ctx: Context, name: string, value: string, maxAgeSeconds: number): void {
  const secure = schemeOf(ctx) === "https" ? "; Secure" : "";
  ctx.append("set-cookie", `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`);
}
