import { randomUUID } from "node:crypto";
import Router from "@koa/router";
import Koa, { type Context } from "koa";
import type { Logger } from "../telemetry/logger.ts";
import { httpDuration, readMetrics } from "../telemetry/metrics.ts";
import { nameRequestSpan } from "../telemetry/spans.ts";
import { HttpError, toHttpError } from "./errors.ts";
import { withRequestId } from "./requestContext.ts";

/** Paths that are logged at level debug: probes, and internal calls, whose callers log the request themselves. */
const QUIET = /^\/(readyz$|healthz$|metrics$|internal\/)/;
const REQUEST_ID = /^[\w.:-]{1,80}$/;

export interface HttpAppOptions {
  logger: Logger;
  /**
   * Returns whether the service has started and is not shutting down. A later failure of a dependency does not change
   * it.
   */
  isReady: () => boolean;
}

/**
 * Creates the HTTP app of a service and its router. Every call gets a request id, a log line, a duration in the metrics
 * and `{error}` bodies. `/healthz` responds while the process runs, `/readyz` with 503 until `isReady`, `/metrics` with
 * metrics.
 */
export function createHttpApp({ logger, isReady }: HttpAppOptions): { app: Koa; router: Router } {
  const app = new Koa();
  const router = new Router();

  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    const given = ctx.get("x-request-id");
    ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUID();
    ctx.set("x-request-id", ctx.state.requestId);
    // Responses contain data of one user, so neither proxies nor browsers may store them.
    ctx.set("cache-control", "no-store");
    try {
      await withRequestId(ctx.state.requestId, next);
      if (ctx.status === 404 && ctx.body === undefined)
        respondWithError(ctx, new HttpError(404, "No such call"), logger);
      else if (ctx.status === 405 || ctx.status === 501)
        respondWithError(ctx, new HttpError(405, "No such method"), logger);
    } catch (error) {
      respondWithError(ctx, error, logger);
    }
    const route = (ctx._matchedRoute as string | undefined) ?? "none";
    nameRequestSpan(ctx.method, route, ctx.state.requestId);
    const seconds = (performance.now() - startedAt) / 1000;
    httpDuration.observe({ method: ctx.method, route: String(route), status: ctx.status }, seconds);
    // Rate-limited requests are counted in `messageoh_limited_total`; logging each would cost more than refusing it.
    const level = QUIET.test(ctx.path) || ctx.status === 429 ? "debug" : "info";
    logger[level](
      {
        request_id: ctx.state.requestId,
        method: ctx.method,
        route,
        status: ctx.status,
        ms: Math.round(seconds * 1e4) / 10,
      },
      "request",
    );
  });

  router.get("/healthz", (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", (ctx) => {
    const ready = isReady();
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? "ready" : "not ready" };
  });
  router.get("/metrics", async (ctx) => {
    const { type, text } = await readMetrics();
    ctx.type = type;
    ctx.body = text;
  });

  app.use(router.routes()).use(router.allowedMethods());
  // Only failed writes to a closed connection arrive here; other errors have had a response.
  app.on("error", (error) => logger.debug({ err: error }, "response failed"));
  return { app, router };
}

function respondWithError(ctx: Context, error: unknown, logger: Logger): void {
  const { status, message, retryAfterSeconds, details } = toHttpError(error);
  if (status >= 500) logger.error({ err: error, request_id: ctx.state.requestId }, "call failed");
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set("retry-after", String(retryAfterSeconds));
  ctx.body = { error: message, ...details };
}
