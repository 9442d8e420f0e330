import { commonConfig, integer, loadConfig, url, urlList } from "@messageoh/service-kit/config";
import { limitSettings } from "@messageoh/service-kit/limitTable";
import * as v from "valibot";
import { RATE_LIMITS } from "./limits/eventLimits.ts";

/** Returns the settings from the environment. An invalid one ends the process with a message that names it. */
export const readConfig = () =>
  loadConfig({
    ...commonConfig,
    USERS_URL: v.pipe(url, v.description("Base URL of svc-users, which owns sessions and friendships")),
    MESSAGES_URL: v.pipe(
      urlList,
      v.description(
        "svc-messages: URLs separated by commas, or the file: URL of a processes.json; see discovery.ts in service-kit",
      ),
    ),
    ...limitSettings(RATE_LIMITS),
    CONNECTIONS_PER_USER_MAX: v.pipe(integer(1, 50), v.description("Connections per user on this instance")),
    CONNECTIONS_PER_ADDRESS_MAX: v.pipe(
      integer(1, 1_000),
      v.description("Connections per client address on this instance"),
    ),
    DRAIN_MS: v.pipe(
      integer(0, 8_000),
      v.description("Time for clients to reconnect elsewhere before the process ends, in milliseconds"),
    ),
  });
