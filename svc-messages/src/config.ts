import { commonConfig, integer, loadConfig, nonEmpty, url } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import * as v from "valibot";
import { RATE_LIMITS } from "./rateLimits.ts";

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig({
    ...commonConfig,
    MONGO_URL: v.pipe(nonEmpty, v.description("MongoDB server; this service uses the database `messages`")),
    ...limitSettings(RATE_LIMITS),
    PUSH_DELAY_MS: v.pipe(
      integer(0, 5_000),
      v.description(
        "Time for a recipient without a connection to reconnect before a push notification, in milliseconds",
      ),
    ),
    MEDIA_URL: v.pipe(url, v.description("Base URL of svc-media, which owns attachments")),
    USERS_URL: v.pipe(url, v.description("Base URL of svc-users, which owns sessions and the members of threads")),
  });
