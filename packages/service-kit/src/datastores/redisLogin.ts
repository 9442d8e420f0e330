import type { Logger } from "../telemetry/logger.ts";
import { isCluster, type Redis } from "./redis.ts";

const SLOTS = 16_384;
/** Codes of certificates of an unknown authority, or for another host. An expired certificate is an outage. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO)_|_ALTNAME_INVALID$/;
const REFUSES = "Redis refuses the connection: check REDIS_URL";
const IS_UNTRUSTED = "the certificate of Redis is not trusted: check REDIS_URL and NODE_EXTRA_CA_CERTS";

/**
 * Resolves when Redis accepts the connection, and also when it cannot be reached, because the services also work during
 * an outage. It does not resolve while Redis refuses the password, has a certificate of an unknown authority, is no
 * cluster although REDIS_URL names several nodes, or is a cluster in which some slots belong to no node: a service with
 * a wrong `REDIS_URL` must not become ready.
 */
export async function waitForRedisLogin(redis: Redis, logger: Logger): Promise<void> {
  if (redis.status === "ready" && !lackOf(redis)) return;
  await new Promise<void>((resolve) => {
    let logged: string | undefined;
    let untrusted: Error | undefined;
    const done = () => {
      redis.off("ready", onLayout).off("refresh", onLayout).off("error", onError).off("node error", onNodeError);
      resolve();
    };
    const refuse = (reason: string, message = REFUSES, err?: Error) => {
      if (logged !== reason) logger.warn({ err, reason }, message);
      logged = reason;
    };
    const onLayout = () => {
      const lack = lackOf(redis);
      if (lack) refuse(lack);
      else done();
    };
    // The error of a cluster says only that the connections to its nodes are closed.
    const onNodeError = (error: Error) => {
      if (isUntrusted(error)) untrusted = error;
    };
    const onError = (error: Error) => {
      const err = untrusted ?? (error as { lastNodeError?: Error }).lastNodeError ?? error;
      if (isUntrusted(err)) refuse(err.message, IS_UNTRUSTED, err);
      else if (err.name === "ReplyError") refuse(err.message, REFUSES, err);
      else done();
    };
    // A cluster emits "refresh" when it has read the layout, also while it cannot serve commands.
    redis.on("ready", onLayout).on("refresh", onLayout).on("error", onError).on("node error", onNodeError);
  });
}

const isUntrusted = (error: Error): boolean => UNTRUSTED.test((error as { code?: string }).code ?? "");

/** Returns what is wrong with the layout of a cluster. */
function lackOf(redis: Redis): string | undefined {
  if (!isCluster(redis)) return undefined;
  const missing = SLOTS - redis.slots.filter((nodes) => nodes.length > 0).length;
  return missing > 0 ? `${missing} slots of the cluster belong to no node` : undefined;
}
