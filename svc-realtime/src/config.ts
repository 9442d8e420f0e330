import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { rateSetting } from "@messageoh/service-kit/rateLimit";
import { z } from "zod";

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      USERS_URL: z.url().describe("svc-users, asked for sessions and friendships"),
      MESSAGES_URL: z
        .string()
        .transform((list) => list.split(",").map((url) => url.trim()))
        .pipe(z.array(z.url()).min(1))
        .describe("svc-messages: URLs separated by commas, or the file: URL of a processes.json; see discovery.ts"),
      LIMIT_SENDS_PER_USER: rateSetting("500/10").describe("Messages of one user in the seconds"),
      LIMIT_DAILY_BYTES_PER_USER: rateSetting("50000000/86400").describe(
        "Bytes of text of one user in a day, per instance; a message counts as 2,500 at least",
      ),
      LIMIT_EVENTS_PER_SOCKET: rateSetting("3000/15").describe("Events of any kind in the seconds"),
      CONNECTIONS_PER_USER_MAX: count(50).describe("Sockets of one user on this instance"),
      CONNECTIONS_PER_ADDRESS_MAX: count(1_000).describe("Connections of one address to this instance"),
      DRAIN_MS: z.coerce
        .number()
        .int()
        .min(0)
        .default(8_000)
        .describe("Time for clients to move before the process ends"),
    }),
  );
