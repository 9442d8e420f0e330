import { commonConfig, hostList, loadConfig } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import { z } from "zod";
import { RATE_LIMITS } from "./rateLimits.ts";

/** Default of `MEDIA_TOTAL_MAX_BYTES`: 100 GB. */
const TOTAL_MAX_BYTES = 100_000_000_000;

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service uses the database `media`"),
      USERS_URL: z.url().describe("Base URL of svc-users, which owns sessions and the members of threads"),
      MESSAGES_URL: z
        .string()
        .transform((list) => list.split(",").map((url) => url.trim()))
        .pipe(z.array(z.url()).min(1))
        .describe("svc-messages: URLs separated by commas, or the file: URL of a processes.json; see discovery.ts"),
      MEDIA_DIR: z
        .string()
        .min(1)
        .optional()
        .describe("Folder of the files, which the gateway reads; unless S3_URL is set"),
      S3_URL: z.url().optional().describe("S3 server that stores the files instead of MEDIA_DIR"),
      S3_BUCKET: z.string().min(1).default("messageoh").describe("Bucket of the files; it is created if it is missing"),
      S3_REGION: z.string().min(1).default("us-east-1").describe("Region of the bucket"),
      S3_ACCESS_KEY: z.string().min(1).optional().describe("Access key of the S3 server"),
      S3_SECRET_KEY: z.string().min(1).optional().describe("Secret key of the S3 server"),
      MEDIA_TOTAL_MAX_BYTES: z.coerce
        .number()
        .int()
        .min(1)
        .default(TOTAL_MAX_BYTES)
        .describe("Bytes of all files; further uploads are refused"),
      CLAMD_URL: z
        .url({ protocol: /^tcp$/ })
        .optional()
        .describe("clamd that checks each file for malware, for example tcp://clamd:3310"),
      PREVIEW_HOSTS_ALLOWED: hostList.describe(
        "Hosts, as NAME or NAME:PORT, that have link previews although their addresses are not public",
      ),
      ...limitSettings(RATE_LIMITS),
    }),
  );
export type Config = ReturnType<typeof readConfig>;
