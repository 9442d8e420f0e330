import { sessionCookieName } from "@messageoh/contracts/users";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { Context } from "koa";
import { deviceOf } from "./device.ts";
import type { Sessions } from "./session.model.ts";

const schemeOf = (ctx: Context) => ctx.get("x-forwarded-proto");

export const readSessionToken = (ctx: Context) => readCookie(ctx.get("cookie"), sessionCookieName(schemeOf(ctx)));

/** Starts a session and hands its token to the browser, out of reach of scripts and of other sites. */
export async function startSession(sessions: Sessions, ctx: Context, userId: string): Promise<void> {
  const token = await sessions.start(userId, deviceOf(ctx.get("user-agent")));
  appendCookie(ctx, token, Math.floor(sessions.lifetimeMs / 1000));
}

export function clearSessionCookie(ctx: Context): void {
  appendCookie(ctx, "", 0);
}

function appendCookie(ctx: Context, value: string, maxAgeSeconds: number): void {
  const scheme = schemeOf(ctx);
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${scheme === "https" ? "; Secure" : ""}`;
  ctx.append("set-cookie", `${sessionCookieName(scheme)}=${value}; ${attributes}`);
}
