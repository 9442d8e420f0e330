const kept = new Map<string, HTMLImageElement>();

/** Loads pictures when the browser is idle and keeps them in memory, so that they show later without a network. */
export function preloadPictures(addresses: readonly string[]): void {
  const load = (): void => {
    for (const src of addresses) {
      if (!kept.has(src)) kept.set(src, Object.assign(new Image(), { src }));
    }
  };
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback === "function") requestIdleCallback(load, { timeout: 5000 });
  else setTimeout(load, 2000);
}
