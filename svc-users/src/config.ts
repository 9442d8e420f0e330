import { availableParallelism } from "node:os";
import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./limits/rateLimits.ts";

/** bcrypt works in this pool of threads; reading files and finding names need some too. */
const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const THREADS_KEPT = 4;

export const bcryptCost = z.coerce.number().int().min(4).max(15).default(12).describe("2^cost rounds per password");

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service keeps the database `users`"),
      BCRYPT_COST: bcryptCost,
      HASHES_AT_ONCE: z.coerce
        .number()
        .int()
        .min(1)
        .default(Math.max(1, Math.min(availableParallelism() - 1, threads - THREADS_KEPT)))
        .describe("Passwords hashed at the same time; UV_THREADPOOL_SIZE must be larger by 4"),
      HASHES_WAITING_MAX: z.coerce.number().int().min(0).default(100).describe("Passwords that may wait to be hashed"),
      ...limitSettings(RATE_LIMITS),
      SESSION_DAYS: z.coerce.number().positive().default(30).describe("A session unused for this many days ends"),
      SESSION_MAX_DAYS: z.coerce.number().positive().default(180).describe("A session ends at this age in days"),
    }),
  );
