import type { Page } from "@playwright/test";

/** Measurements in the page. */
export interface Probe {
  lcp: number;
  acceptsAt: number;
  longTasks: number[];
  keys: number[];
  frames: number[];
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/** Records the largest paint, the time when `selector` accepts input, long tasks, key latencies and frames. */
export async function addProbe(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const probe: Probe = { lcp: 0, acceptsAt: 0, longTasks: [], keys: [], frames: [] };
    window.probe = probe;
    const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
    observe("largest-contentful-paint", (entry) => {
      probe.lcp = entry.startTime;
    });
    observe("longtask", (entry) => probe.longTasks.push(entry.duration));

    // Runs after the next frame, when the main thread is idle. A timer would fire later.
    const afterPaint = (note: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = note;
        port2.postMessage(null);
      });
    const isThere = new MutationObserver(() => {
      if (!document.querySelector(`${wanted}:not(:disabled)`)) return;
      isThere.disconnect();
      afterPaint(() => {
        probe.acceptsAt = performance.now();
      });
    });
    isThere.observe(document, { childList: true, subtree: true });
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => afterPaint(() => probe.keys.push(performance.now() - timeStamp)),
      { capture: true },
    );
    let last = 0;
    const countFrame = (now: number): void => {
      if (last > 0) probe.frames.push(now - last);
      last = now;
      requestAnimationFrame(countFrame);
    };
    requestAnimationFrame(countFrame);
  }, selector);
}

/** Returns the measurements since the last call. */
export async function readProbe(page: Page): Promise<Probe> {
  return page.evaluate(() => {
    const { probe } = window;
    return {
      ...probe,
      longTasks: probe.longTasks.splice(0),
      keys: probe.keys.splice(0),
      frames: probe.frames.splice(0),
    };
  });
}

/**
 * Returns the time from a click, or from the input of a text, until an element is painted, in ms.
 * @param to selector of what is clicked, or of the field of the text
 * @param wanted selector of the element, which is not there before
 */
export async function timeUntilPainted(
  page: Page,
  to: string,
  text: string | undefined,
  wanted: string,
): Promise<number> {
  return page.evaluate(
    ([to, text, wanted]) =>
      new Promise<number>((resolve) => {
        const begin = performance.now();
        const isThere = new MutationObserver(() => {
          if (!document.querySelector(wanted)) return;
          isThere.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
        });
        isThere.observe(document, { childList: true, subtree: true });
        const element = document.querySelector<HTMLElement>(to);
        element?.focus();
        if (text === undefined) element?.click();
        else document.execCommand("insertText", false, text);
      }),
    [to, text, wanted] as const,
  );
}
