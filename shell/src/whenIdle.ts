const QUIET_MS = 1_000;
const QUIET_WAIT_MAX_MS = 10_000;

/** Calls `work` when the page has loaded and the browser is idle. */
export function whenIdle(work: () => void): void {
  if (document.readyState !== "complete") window.addEventListener("load", () => whenIdle(work), { once: true });
  // Safari has no `requestIdleCallback`.
  else if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}

/**
 * Calls `work` when the browser is idle and no file or response has arrived for a second, or for ten seconds no such
 * second has passed. A page that waits for its calls is idle too, but will need the processor soon.
 */
export function whenQuiet(work: () => void): void {
  const startedAt = performance.now();
  let timer = setTimeout(end, QUIET_MS);
  const arrivals = new PerformanceObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(end, Math.min(QUIET_MS, startedAt + QUIET_WAIT_MAX_MS - performance.now()));
  });
  arrivals.observe({ type: "resource" });

  function end(): void {
    arrivals.disconnect();
    whenIdle(work);
  }
}
