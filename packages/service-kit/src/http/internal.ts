import { timingSafeEqual } from "node:crypto";
import { requestIdHeader } from "./requestContext.ts";

export const SECRET_HEADER = "x-internal-secret";

/** A batch between services: 256 messages of 4,000 four-byte characters, escaped, fit. */
export const INTERNAL_BODY_MAX_BYTES = 16_000_000;

/** Headers of a call to another service: the shared secret, and the id of the request on whose behalf it is made. */
export const internalHeaders = (secret: string) => (): Record<string, string> => ({
  [SECRET_HEADER]: secret,
  ...requestIdHeader(),
});

/** Compares in constant time. */
export function knowsSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
