import { randomUUID } from "node:crypto";
import Router from "@koa/router";
import Koa, { type Context } from "koa";
import { HttpError, toHttpError } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { httpDuration, readMetrics } from "../telemetry/metrics.ts";
import { nameRequestSpan } from "../telemetry/spans.ts";
import { withRequestId } from "./requestContext.ts";

/** Probes, and the calls of other services, which log on whose behalf they make them. */
const QUIET = /^\/(readyz$|healthz$|metrics$|internal\/)/;
const REQUEST_ID = /^[\w.:-]{1,80}$/;

export interface HttpAppOptions {
  logger: Logger;
  /** Whether the service has started and does not end: later failures of what it needs degrade it, see `waitForPeers`. */
  isReady: () => boolean;
}

/**
 * The HTTP side that every service shares: a request id, one log line and one timing per call, `{error}` bodies,
 * and `/healthz` (the process lives), `/readyz` (it takes work), `/metrics`.
 */
export function createHttpApp({ logger, isReady }: HttpAppOptions): { app: Koa; router: Router } {
  const app = new Koa();
  const router = new Router();

  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    const given = ctx.get("x-request-id");
    ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUID();
    ctx.set("x-request-id", ctx.state.requestId);
    // Answers are about one user: neither a proxy nor the browser's disk keeps them.
    ctx.set("cache-control", "no-store");
    try {
      await withRequestId(ctx.state.requestId, next);
      if (ctx.status === 404 && ctx.body === undefined) answerError(ctx, new HttpError(404, "No such call"), logger);
      else if (ctx.status === 405 || ctx.status === 501) answerError(ctx, new HttpError(405, "No such method"), logger);
    } catch (error) {
      answerError(ctx, error, logger);
    }
    const route = (ctx._matchedRoute as string | undefined) ?? "none";
    nameRequestSpan(ctx.method, route, ctx.state.requestId);
    const seconds = (performance.now() - startedAt) / 1000;
    httpDuration.observe({ method: ctx.method, route: String(route), status: ctx.status }, seconds);
    // Refusals are counted (`messageoh_limited_total`): a line for each would be most of what they cost.
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
  // A caller that goes away mid-answer is not our fault; everything else was answered above.
  app.on("error", (error) => logger.debug({ err: error }, "response failed"));
  return { app, router };
}

function answerError(ctx: Context, error: unknown, logger: Logger): void {
  const { status, message, retryAfterSeconds } = toHttpError(error);
  if (status >= 500) logger.error({ err: error, request_id: ctx.state.requestId }, "call failed");
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set("retry-after", String(retryAfterSeconds));
  ctx.body = { error: message };
}
