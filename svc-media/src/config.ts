import { commonConfig, hostList, integer, loadConfig, nonEmpty, url, urlList } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import * as v from "valibot";
import { RATE_LIMITS } from "./rateLimits.ts";

/** Default of `MEDIA_TOTAL_MAX_BYTES`: 100 GB. */
const TOTAL_MAX_BYTES = 100_000_000_000;

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig({
    ...commonConfig,
    MONGO_URL: v.pipe(nonEmpty, v.description("MongoDB server; this service uses the database `media`")),
    USERS_URL: v.pipe(url, v.description("Base URL of svc-users, which owns sessions and the members of threads")),
    MESSAGES_URL: v.pipe(
      urlList,
      v.description("svc-messages: URLs separated by commas, or the file: URL of a processes.json; see discovery.ts"),
    ),
    MEDIA_DIR: v.pipe(
      v.optional(nonEmpty),
      v.description("Folder of the files, which the gateway reads; unless S3_URL is set"),
    ),
    S3_URL: v.pipe(v.optional(url), v.description("S3 server that stores the files instead of MEDIA_DIR")),
    S3_BUCKET: v.pipe(
      v.optional(nonEmpty, "messageoh"),
      v.description("Bucket of the files; it is created if it is missing"),
    ),
    S3_REGION: v.pipe(v.optional(nonEmpty, "us-east-1"), v.description("Region of the bucket")),
    S3_ACCESS_KEY: v.pipe(v.optional(nonEmpty), v.description("Access key of the S3 server")),
    S3_SECRET_KEY: v.pipe(v.optional(nonEmpty), v.description("Secret key of the S3 server")),
    MEDIA_TOTAL_MAX_BYTES: v.pipe(
      integer(1, TOTAL_MAX_BYTES),
      v.description("Bytes of all files; further uploads are refused"),
    ),
    CLAMD_URL: v.pipe(
      v.optional(v.pipe(url, v.startsWith("tcp://", "it does not begin with tcp://"))),
      v.description("clamd that checks each file for malware, for example tcp://clamd:3310"),
    ),
    PREVIEW_HOSTS_ALLOWED: v.pipe(
      hostList,
      v.description("Hosts, as NAME or NAME:PORT, that have link previews although their addresses are not public"),
    ),
    ...limitSettings(RATE_LIMITS),
  });
export type Config = ReturnType<typeof readConfig>;
