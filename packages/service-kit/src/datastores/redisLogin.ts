import type { Logger } from "../telemetry/logger.ts";
import type { Redis } from "./redis.ts";

/**
 * Resolves when Redis accepts the connection, and also when it cannot be reached, because the services also work during
 * an outage. While Redis refuses the password, it does not resolve: a service with a wrong `REDIS_URL` must not become
 * ready.
 */
export async function waitForRedisLogin(redis: Redis, logger: Logger): Promise<void> {
  if (redis.status === "ready") return;
  await new Promise<void>((resolve) => {
    let isLogged = false;
    const done = () => {
      redis.off("ready", done).off("error", onError);
      resolve();
    };
    const onError = (err: Error) => {
      if (err.name !== "ReplyError") return done();
      if (!isLogged) logger.warn({ err }, "Redis refuses the connection: check REDIS_URL");
      isLogged = true;
    };
    redis.on("ready", done).on("error", onError);
  });
}
