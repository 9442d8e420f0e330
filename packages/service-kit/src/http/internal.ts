import { timingSafeEqual } from "node:crypto";
import { type Call, createClient } from "@messageoh/contracts/client";
import { requestIdHeader } from "./requestContext.ts";
import { send } from "./send.ts";

/** Header of the secret that all services share. */
export const SECRET_HEADER = "x-internal-secret";

/** Largest body of an internal call, in bytes: fits a batch of 256 messages of 4,000 escaped four-byte characters. */
export const INTERNAL_BODY_MAX_BYTES = 16_000_000;

/**
 * Returns a function that returns the headers of a call to another service: the shared secret and the current request
 * id.
 */
export const internalHeaders = (secret: string) => (): Record<string, string> => ({
  [SECRET_HEADER]: secret,
  ...requestIdHeader(),
});

/** Returns a function that returns the client of the service at a URL. Its calls fail after `timeoutMs`. */
export const internalClients =
  (secret: string, timeoutMs: number) =>
  (baseUrl: string): Call =>
    createClient({ baseUrl, headers: internalHeaders(secret), timeoutMs, send });

/**
 * Returns whether a caller sent the shared secret. The comparison takes constant time, so that its duration reveals
 * nothing.
 */
export function knowsSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
