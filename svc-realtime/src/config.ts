import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./limits/eventLimits.ts";

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      USERS_URL: z.url().describe("Base URL of svc-users, which owns sessions and friendships"),
      MESSAGES_URL: z
        .string()
        .transform((list) => list.split(",").map((url) => url.trim()))
        .pipe(z.array(z.url()).min(1))
        .describe(
          "svc-messages: URLs separated by commas, or the file: URL of a processes.json; see discovery.ts in service-kit",
        ),
      ...limitSettings(RATE_LIMITS),
      CONNECTIONS_PER_USER_MAX: count(50).describe("Connections per user on this instance"),
      CONNECTIONS_PER_ADDRESS_MAX: count(1_000).describe("Connections per client address on this instance"),
      DRAIN_MS: z.coerce
        .number()
        .int()
        .min(0)
        .default(8_000)
        .describe("Time for clients to reconnect elsewhere before the process ends, in milliseconds"),
    }),
  );
