const VIEWPORT = { width: 800, height: 600 };
const ROW_PX = 40;

let isDesktop = true;
const queries = new Set<() => void>();

/** Switches between the wide and the narrow layout. Call it before rendering, or inside `act`. */
export function setDesktop(isWide: boolean): void {
  isDesktop = isWide;
  for (const notify of queries) notify();
}

/**
 * Gives elements a size, because jsdom computes no layout and a virtual list renders only rows that it has measured.
 * Every element is one row high; a scroll container is as high as the window.
 */
export function installLayout(): void {
  const isScroller = (element: Element) => element.getAttribute("role") === "log" || element.classList.contains("area");
  const sizeOf = (element: Element) => (isScroller(element) ? VIEWPORT : { width: VIEWPORT.width, height: ROW_PX });

  class TestResizeObserver implements ResizeObserver {
    readonly #notify: (target: Element) => void;
    readonly #targets = new Set<Element>();
    constructor(callback: ResizeObserverCallback) {
      this.#notify = (target) => {
        const { width, height } = sizeOf(target);
        const entry = { target, contentRect: new DOMRect(0, 0, width, height) };
        if (this.#targets.has(target)) callback([entry as ResizeObserverEntry], this);
      };
    }
    observe(target: Element): void {
      this.#targets.add(target);
      queueMicrotask(() => this.#notify(target));
    }
    unobserve(target: Element): void {
      this.#targets.delete(target);
    }
    disconnect(): void {
      this.#targets.clear();
    }
  }

  globalThis.ResizeObserver = TestResizeObserver;
  Object.defineProperty(HTMLElement.prototype, "offsetParent", {
    get(this: HTMLElement) {
      return this.parentElement;
    },
  });
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.scrollBy = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.getClientRects = function getClientRects() {
    const rects = [this.getBoundingClientRect()];
    return Object.assign(rects, { item: (index: number) => rects[index] ?? null });
  };
  window.matchMedia = (query) => {
    const list = new EventTarget() as MediaQueryList;
    queries.add(() => list.dispatchEvent(new Event("change")));
    return Object.defineProperties(list, {
      media: { value: query },
      matches: { get: () => query.includes("min-width") && isDesktop },
    });
  };
  const css: Pick<typeof CSS, "escape" | "supports"> = {
    escape: (text) => text.replace(/["\\]/g, "\\$&"),
    supports: () => true,
  };
  globalThis.CSS ??= css as typeof CSS;
}
