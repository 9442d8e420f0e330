import { sessionCookieName } from "@messageoh/contracts/users";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { Context } from "koa";

const schemeOf = (ctx: Context) => ctx.get("x-forwarded-proto");

export const readSessionToken = (ctx: Context) => readCookie(ctx.get("cookie"), sessionCookieName(schemeOf(ctx)));

/** Hands the token to the browser, out of reach of scripts and of other sites. */
export function setSessionCookie(ctx: Context, token: string, lifetimeMs: number): void {
  appendCookie(ctx, token, Math.floor(lifetimeMs / 1000));
}

export function clearSessionCookie(ctx: Context): void {
  appendCookie(ctx, "", 0);
}

function appendCookie(ctx: Context, value: string, maxAgeSeconds: number): void {
  const scheme = schemeOf(ctx);
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${scheme === "https" ? "; Secure" : ""}`;
  ctx.append("set-cookie", `${sessionCookieName(scheme)}=${value}; ${attributes}`);
}
