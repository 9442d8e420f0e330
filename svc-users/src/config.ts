import { availableParallelism } from "node:os";
import { commonConfig, hostList, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./limits/rateLimits.ts";
import { isPrivateKey } from "./push/vapid.ts";

/** bcrypt runs in libuv's thread pool. File access and DNS lookups need threads of that pool too. */
const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const RESERVED_THREADS = 4;

export const bcryptCost = z.coerce
  .number()
  .int()
  .min(4)
  .max(15)
  .default(12)
  .describe("bcrypt cost: a password takes 2^cost rounds");

/** P-256 private key: 64 hexadecimal digits, or base64url as `npx web-push generate-vapid-keys` prints it. */
const vapidKey = z
  .string()
  .default("")
  .transform((text, { issues, value }) => {
    if (text === "") return null;
    const key = Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? "hex" : "base64url");
    if (isPrivateKey(key)) return key;
    issues.push({ code: "custom", message: "must be a P-256 private key", input: value });
    return z.NEVER;
  });

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; the database is named `users`"),
      BCRYPT_COST: bcryptCost,
      HASHES_AT_ONCE: z.coerce
        .number()
        .int()
        .min(1)
        .default(Math.max(1, Math.min(availableParallelism() - 1, threads - RESERVED_THREADS)))
        .describe("Passwords hashed at the same time; set UV_THREADPOOL_SIZE to 4 more"),
      HASHES_WAITING_MAX: z.coerce
        .number()
        .int()
        .min(0)
        .default(100)
        .describe("Passwords waiting to be hashed, at most"),
      VAPID_PRIVATE_KEY: vapidKey.describe("Private key of push notifications; without it none are sent"),
      VAPID_SUBJECT: z
        .string()
        .regex(/^(mailto:.+@.+|https:\/\/.+)/, "must be a mailto: or https: address")
        .default("mailto:operator@localhost")
        .describe("Address at which push services reach the operator"),
      PUSH_HOSTS_ALLOWED: hostList.describe(
        "Hosts, as NAME or NAME:PORT, that are push services although their addresses are not public",
      ),
      ...limitSettings(RATE_LIMITS),
      SESSION_DAYS: z.coerce.number().positive().default(30).describe("Days without use after which a session ends"),
      SESSION_MAX_DAYS: z.coerce.number().positive().default(180).describe("Age in days at which a session ends"),
    }),
  );
