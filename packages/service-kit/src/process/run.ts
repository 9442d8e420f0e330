import { createServer, type RequestListener, type Server } from "node:http";
import type { Logger } from "../telemetry/logger.ts";
import { endTracing } from "../telemetry/spans.ts";

const GRACE_MS = 15_000;
/** Connections not accepted yet. When an instance dies, all of its clients come to the others within a second. */
const BACKLOG = 4_096;

/** Starts listening. Port 0 takes a free one. */
export async function listen(handler: RequestListener | Server, port: number, host: string): Promise<Server> {
  const server = typeof handler === "function" ? createServer(handler) : handler;
  // Longer than the gateway keeps an idle connection, so that it never writes into a closed one.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return server;
}

/** Stops accepting, lets running calls finish and cuts what is left after `graceMs`. */
export async function closeServer(server: Server, graceMs = 5_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/**
 * Ends the process in order on SIGTERM or SIGINT: each step in turn, then exit 0; exit 1 if that takes too long.
 * Without it, a rejected promise that nobody awaits would end the process: it is logged instead.
 */
export function shutDownInOrder(logger: Logger, steps: (() => Promise<unknown> | unknown)[]): void {
  let isEnding = false;
  const end = async (signal: string) => {
    if (isEnding) return;
    isEnding = true;
    logger.info({ signal }, "shutting down");
    setTimeout(() => {
      logger.error("shutdown took too long");
      process.exit(1);
    }, GRACE_MS).unref();
    for (const step of [...steps, endTracing]) {
      try {
        await step();
      } catch (err) {
        logger.error({ err }, "shutdown step failed");
      }
    }
    logger.info("shut down");
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("unhandledRejection", (err) => logger.error({ err }, "unhandled rejection"));
}
