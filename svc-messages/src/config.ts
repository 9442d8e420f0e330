import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./rateLimits.ts";

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service keeps the database `messages`"),
      ...limitSettings(RATE_LIMITS),
      USERS_URL: z.url().describe("svc-users, asked for sessions and for who is in a thread"),
    }),
  );
