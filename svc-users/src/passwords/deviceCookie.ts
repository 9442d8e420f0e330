import { createHmac, randomBytes } from "node:crypto";
import { knowsSecret } from "@messageoh/service-kit/internal";
import { readCookie } from "@messageoh/service-kit/sessionCache";
import type { Context } from "koa";
import { appendCookie, schemeOf } from "../sessions/sessionCookie.ts";

const DEVICE_COOKIE = "messageoh_device";
const DAYS_KEPT = 400;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** People who share a browser and are each remembered. */
const NAMES_MAX = 4;
const SEPARATOR = "~";

export type Devices = ReturnType<typeof createDevices>;

/**
 * Recognises browsers that have signed in under a name before, after OWASP's "Slow Down Online Guessing Attacks with
 * Device Cookies". The cookie holds up to four tokens `<day>.<nonce>.<signature>`; the signature covers the name, so a
 * token says nothing of the name and is good for no other.
 * @param secret the key of the signatures is derived from it
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
  function isOf(token: string, nameKey: string): boolean {
    const [day = "", nonce = "", signature = ""] = token.split(".");
    return Number(day) > today() - DAYS_KEPT && knowsSecret(signature, sign(day, nonce, nameKey));
  }

  return {
    /** The token of a browser that has signed in under this name before. */
    find: (ctx: Context, nameKey: string): string | undefined => tokensOf(ctx).find((token) => isOf(token, nameKey)),

    /** Remembers in the browser that it signed in under this name. */
    remember(ctx: Context, nameKey: string): void {
      const others = tokensOf(ctx).filter((token) => token !== "" && !isOf(token, nameKey));
      const [day, nonce] = [String(today()), randomBytes(12).toString("base64url")];
      const tokens = [`${day}.${nonce}.${sign(day, nonce, nameKey)}`, ...others].slice(0, NAMES_MAX);
      appendCookie(ctx, cookieName(ctx), tokens.join(SEPARATOR), DAYS_KEPT * 24 * 60 * 60);
    },
  };
}

const cookieName = (ctx: Context) => (schemeOf(ctx) === "https" ? `__Host-${DEVICE_COOKIE}` : DEVICE_COOKIE);
