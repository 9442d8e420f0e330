import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { z } from "zod";

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service keeps the database `messages`"),
      USERS_URL: z.url().describe("svc-users, asked for sessions and for who is in a thread"),
    }),
  );
