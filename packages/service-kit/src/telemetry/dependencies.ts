import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Logger } from "./logger.ts";
import { Gauge } from "./metrics.ts";

const CHECK_EVERY_MS = 2_000;
/** Longest response time of a dependency that counts as responsive, in milliseconds. */
const RESPONSE_MAX_MS = 3_000;

const responsive = new Gauge({
  name: "messageoh_dependency_responsive",
  help: "1 if the last check of a dependency succeeded within three seconds, otherwise 0",
  labelNames: ["dependency"],
});

/** Sends a small request to a dependency. It settles in a bounded time even if the dependency does not respond. */
export type Check = () => Promise<unknown>;

/**
 * Checks each dependency every {@link CHECK_EVERY_MS} milliseconds, one check at a time, and logs when it stops or
 * begins to respond within {@link RESPONSE_MAX_MS} milliseconds. Nothing else depends on the result.
 * @param checks by the name of the dependency in the log and in the metric
 * @returns a function that ends the checks
 */
export function watchDependencies(checks: Readonly<Record<string, Check>>, logger: Logger): () => void {
  const end = new AbortController();
  for (const [dependency, check] of Object.entries(checks)) void watch(dependency, check, logger, end.signal);
  return () => end.abort();
}

async function watch(dependency: string, check: Check, logger: Logger, signal: AbortSignal): Promise<void> {
  let wasResponsive = true;
  for (;;) {
    // The first check waits as well, because dependencies may start together with this service.
    await pause(CHECK_EVERY_MS, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted) return;
    let err: unknown;
    const checked = check().then(
      () => true,
      (error: unknown) => {
        err = error;
        return false;
      },
    );
    const isResponsive = await Promise.race([checked, timeout()]);
    if (signal.aborted) return;
    responsive.set({ dependency }, isResponsive ? 1 : 0);
    if (wasResponsive && !isResponsive) logger.error({ err, dependency }, "dependency does not respond");
    if (!wasResponsive && isResponsive) logger.info({ dependency }, "dependency responds again");
    wasResponsive = isResponsive;
    await checked;
  }
}

async function timeout(): Promise<false> {
  await pause(RESPONSE_MAX_MS, undefined, { ref: false });
  // If this process itself was blocked, the response is there but has not been read yet.
  await nextTurn();
  return false;
}
