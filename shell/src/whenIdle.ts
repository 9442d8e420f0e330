/** Calls `work` when the page has loaded and the browser is idle. */
export function whenIdle(work: () => void): void {
  if (document.readyState !== "complete") window.addEventListener("load", () => whenIdle(work), { once: true });
  // Safari has no `requestIdleCallback`.
  else if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
