import { createServer, type RequestListener, type Server } from "node:http";
import type { Logger } from "../telemetry/logger.ts";
import { endTracing } from "../telemetry/spans.ts";

/** Time for all shutdown steps, in milliseconds. */
const GRACE_MS = 15_000;
/**
 * Most connections that wait to be accepted. When an instance crashes, all of its clients connect to the others at
 * once.
 */
const BACKLOG = 4_096;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
const exitAtOnce = () => process.exit(0);

/**
 * Ends the process on SIGTERM or SIGINT while it starts, until {@link shutDownInOrder} replaces this. Without a
 * handler, the first process of a container ignores these signals and would wait for its datastores until it is killed.
 */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, exitAtOnce);
}

/**
 * Starts to listen and returns the HTTP server. Rejects if the address is in use.
 * @param port 0 takes a free port
 */
export async function listen(handler: RequestListener | Server, port: number, host: string): Promise<Server> {
  const server = typeof handler === "function" ? createServer(handler) : handler;
  // Longer than the gateway keeps idle connections (60 s), so that it never uses one that this server closes.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return server;
}

/**
 * Stops accepting connections and resolves when the running calls have ended.
 * @param graceMs time after which open connections are closed, in milliseconds
 */
export async function closeServer(server: Server, graceMs = 5_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/**
 * Shuts the process down on SIGTERM or SIGINT: runs the steps one after the other, then exits with code 0, or with code
 * 1 if they take longer than {@link GRACE_MS}. A step that fails is logged. From this call on, an unhandled rejection
 * is logged instead of ending the process.
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
  for (const signal of SIGNALS) process.off(signal, exitAtOnce).on(signal, end);
  process.on("unhandledRejection", (err) => logger.error({ err }, "unhandled rejection"));
}
