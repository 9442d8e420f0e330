import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./rateLimits.ts";

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service uses the database `messages`"),
      ...limitSettings(RATE_LIMITS),
      PUSH_DELAY_MS: z.coerce
        .number()
        .int()
        .min(0)
        .default(5_000)
        .describe("Time for a recipient without a connection to reconnect before a push notification, in milliseconds"),
      MEDIA_URL: z.url().describe("Base URL of svc-media, which owns attachments"),
      USERS_URL: z.url().describe("Base URL of svc-users, which owns sessions and the members of threads"),
    }),
  );
