import type { Logger } from "../telemetry/logger.ts";
import { isCluster, type Redis } from "./redis.ts";

const SLOTS = 16_384;

/**
 * Resolves when Redis accepts the connection, and also when it cannot be reached, because the services also work during
 * an outage. It does not resolve while Redis refuses the password, is no cluster although REDIS_URL names several nodes, or
 * is a cluster in which some slots belong to no node: a service with a wrong `REDIS_URL` must not become ready.
 */
export async function waitForRedisLogin(redis: Redis, logger: Logger): Promise<void> {
  if (redis.status === "ready" && !lackOf(redis)) return;
  await new Promise<void>((resolve) => {
    let logged: string | undefined;
    const done = () => {
      redis.off("ready", onLayout).off("refresh", onLayout).off("error", onError);
      resolve();
    };
    const refuse = (reason: string, err?: Error) => {
      if (logged !== reason) logger.warn({ err, reason }, "Redis refuses the connection: check REDIS_URL");
      logged = reason;
    };
    const onLayout = () => {
      const lack = lackOf(redis);
      if (lack) refuse(lack);
      else done();
    };
    const onError = (error: Error) => {
      const err = (error as { lastNodeError?: Error }).lastNodeError ?? error;
      if (err.name === "ReplyError") refuse(err.message, err);
      else done();
    };
    // A cluster emits "refresh" when it has read the layout, also while it cannot serve commands.
    redis.on("ready", onLayout).on("refresh", onLayout).on("error", onError);
  });
}

/** Returns what is wrong with the layout of a cluster. */
function lackOf(redis: Redis): string | undefined {
  if (!isCluster(redis)) return undefined;
  const missing = SLOTS - redis.slots.filter((nodes) => nodes.length > 0).length;
  return missing > 0 ? `${missing} slots of the cluster belong to no node` : undefined;
}
