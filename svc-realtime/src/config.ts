import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { z } from "zod";

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      USERS_URL: z.url().describe("svc-users, asked for sessions and friendships"),
      MESSAGES_URL: z
        .string()
        .transform((list) => list.split(",").map((url) => url.trim()))
        .pipe(z.array(z.url()).min(1))
        .describe("svc-messages; several instances separated by commas"),
      DRAIN_MS: z.coerce
        .number()
        .int()
        .min(0)
        .default(8_000)
        .describe("Time for clients to move before the process ends"),
    }),
  );
