import { SECURE_SESSION_COOKIE, SESSION_COOKIE, SESSION_COOKIES } from "@messageoh/contracts/users";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { Context } from "koa";

export const readSessionToken = (ctx: Context) => readCookie(ctx.get("cookie"), SESSION_COOKIES);

/** Hands the token to the browser, out of reach of scripts and of other sites. */
export function setSessionCookie(ctx: Context, token: string, lifetimeMs: number): void {
  appendCookie(ctx, token, Math.floor(lifetimeMs / 1000));
}

export function clearSessionCookie(ctx: Context): void {
  appendCookie(ctx, "", 0);
}

function appendCookie(ctx: Context, value: string, maxAgeSeconds: number): void {
  const isHttps = ctx.get("x-forwarded-proto") === "https";
  const name = isHttps ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isHttps ? "; Secure" : ""}`;
  ctx.append("set-cookie", `${name}=${value}; ${attributes}`);
}
