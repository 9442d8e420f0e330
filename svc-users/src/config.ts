import { availableParallelism } from "node:os";
import { commonConfig, hostList, integer, loadConfig, nonEmpty } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import * as v from "valibot";
import { RATE_LIMITS } from "./limits/rateLimits.ts";
import { isPrivateKey } from "./push/vapid.ts";

/** bcrypt runs in libuv's thread pool. File access and DNS lookups need threads of that pool too. */
const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const RESERVED_THREADS = 4;

export const bcryptCost = v.pipe(
  integer(4, 12),
  v.maxValue(15, "Must be at most 15"),
  v.description("bcrypt cost: a password takes 2^cost rounds"),
);

/** P-256 private key: 64 hexadecimal digits, or base64url as `npx web-push generate-vapid-keys` prints it. */
const vapidKey = v.pipe(
  v.optional(v.string(), ""),
  v.transform((key) => (key === "" ? null : Buffer.from(key, /^[\da-f]{64}$/i.test(key) ? "hex" : "base64url"))),
  v.check((key) => key === null || isPrivateKey(key), "must be a P-256 private key"),
);

/** Returns the schema of a number of days with a default. */
const days = (fallback: number) =>
  v.pipe(v.optional(v.string(), String(fallback)), v.toNumber("Must be a number"), v.gtValue(0, "Must be above 0"));

export const readConfig = () =>
  loadConfig({
    ...commonConfig,
    MONGO_URL: v.pipe(nonEmpty, v.description("MongoDB server; the database is named `users`")),
    BCRYPT_COST: bcryptCost,
    HASHES_AT_ONCE: v.pipe(
      integer(1, Math.max(1, Math.min(availableParallelism() - 1, threads - RESERVED_THREADS))),
      v.description("Passwords hashed at the same time; set UV_THREADPOOL_SIZE to 4 more"),
    ),
    HASHES_WAITING_MAX: v.pipe(integer(0, 100), v.description("Passwords waiting to be hashed, at most")),
    VAPID_PRIVATE_KEY: v.pipe(vapidKey, v.description("Private key of push notifications; without it none are sent")),
    VAPID_SUBJECT: v.pipe(
      v.optional(v.string(), "mailto:operator@localhost"),
      v.regex(/^(mailto:.+@.+|https:\/\/.+)/, "must be a mailto: or https: address"),
      v.description("Address at which push services reach the operator"),
    ),
    PUSH_HOSTS_ALLOWED: v.pipe(
      hostList,
      v.description("Hosts, as NAME or NAME:PORT, that are push services although their addresses are not public"),
    ),
    ...limitSettings(RATE_LIMITS),
    SESSION_DAYS: v.pipe(days(30), v.description("Days without use after which a session ends")),
    SESSION_MAX_DAYS: v.pipe(days(180), v.description("Age in days at which a session ends")),
  });
