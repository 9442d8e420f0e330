import { availableParallelism } from "node:os";
import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { rateSetting } from "@messageoh/service-kit/rateLimit";
import { z } from "zod";

/** bcrypt works in this pool of threads; reading files and finding names need some too. */
const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const THREADS_KEPT = 4;

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service keeps the database `users`"),
      BCRYPT_COST: z.coerce.number().int().min(4).max(15).default(12).describe("2^cost rounds per password"),
      HASHES_AT_ONCE: z.coerce
        .number()
        .int()
        .min(1)
        .default(Math.max(1, Math.min(availableParallelism() - 1, threads - THREADS_KEPT)))
        .describe("Passwords hashed at the same time; UV_THREADPOOL_SIZE must be larger by 4"),
      HASHES_WAITING_MAX: z.coerce.number().int().min(0).default(100).describe("Passwords that may wait to be hashed"),
      LIMIT_LOGINS_PER_ADDRESS: rateSetting("200/20").describe("Logins from one address"),
      LIMIT_FAILED_LOGINS_PER_NAME: rateSetting("5/900").describe("Failed logins with one username"),
      LIMIT_REGISTRATIONS_PER_ADDRESS: rateSetting("2000/3600").describe("Registrations from one address"),
      LIMIT_SEARCHES_PER_USER: rateSetting("200/10").describe("Searches for users by one user"),
      SESSION_DAYS: z.coerce.number().positive().default(30).describe("A session unused for this long ends"),
    }),
  );
