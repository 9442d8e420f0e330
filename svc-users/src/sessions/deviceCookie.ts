import { createHmac, randomBytes } from "node:crypto";
import { readCookie } from "@messageoh/service-kit/cookies";
import { knowsSecret } from "@messageoh/service-kit/internal";
import type { Context } from "koa";
import { appendCookie, schemeOf } from "./sessionCookie.ts";

const DEVICE_COOKIE = "messageoh_device";
const DAYS_KEPT = 400;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Number of users of one browser that are remembered. */
const NAMES_MAX = 4;
const SEPARATOR = "~";

export type Devices = ReturnType<typeof createDevices>;

/**
 * Recognises browsers that have logged in with a name before. It implements OWASP's "Slow Down Online Guessing Attacks
 * with Device Cookies". The cookie contains up to four tokens `<day>.<nonce>.<signature>`. The signature covers the
 * name, so a token does not reveal the name and is not valid for another name.
 * @param secret the signing key is derived from it
 */
export function createDevices(secret: string) {
  const key = createHmac("sha256", secret).update("device cookie").digest();
  const sign = (day: string, nonce: string, nameKey: string) =>
    createHmac("sha256", key).update(`${day}.${nonce}.${nameKey}`).digest("base64url");
  const today = () => Math.floor(Date.now() / DAY_MS);

  function tokensOf(ctx: Context): string[] {
    const value = readCookie(ctx.get("cookie"), cookieName(ctx)) ?? "";
    return value.split(SEPARATOR).slice(0, NAMES_MAX);
  }
  function isSignedFor(token: string, nameKey: string): boolean {
    const [day = "", nonce = "", signature = ""] = token.split(".");
    return Number(day) > today() - DAYS_KEPT && knowsSecret(signature, sign(day, nonce, nameKey));
  }

  return {
    /** Returns the device token if this browser has logged in with this name before. */
    find: (ctx: Context, nameKey: string): string | undefined =>
      tokensOf(ctx).find((token) => isSignedFor(token, nameKey)),

    /** Sets a cookie that records the sign-in with this name. */
    remember(ctx: Context, nameKey: string): void {
      const others = tokensOf(ctx).filter((token) => token !== "" && !isSignedFor(token, nameKey));
      const [day, nonce] = [String(today()), randomBytes(12).toString("base64url")];
      const tokens = [`${day}.${nonce}.${sign(day, nonce, nameKey)}`, ...others].slice(0, NAMES_MAX);
      appendCookie(ctx, cookieName(ctx), tokens.join(SEPARATOR), DAYS_KEPT * 24 * 60 * 60);
    },
  };
}

const cookieName = (ctx: Context) => (schemeOf(ctx) === "https" ? `__Host-${DEVICE_COOKIE}` : DEVICE_COOKIE);
