/** What the browser tells of the page's life. */
export interface PageLife {
  isVisible: () => boolean;
  isOnline: () => boolean;
  /** @returns the function that ends it */
  listen: (listeners: PageListeners) => () => void;
}

export interface PageListeners {
  onVisibility: () => void;
  /** The page slept, and timers and connections with it. */
  onWake: () => void;
  onNetwork: () => void;
  onStorage: (event: StorageEvent) => void;
}

export const browserPage: PageLife = {
  isVisible: () => document.visibilityState === "visible",
  isOnline: () => navigator.onLine,
  listen({ onVisibility, onWake, onNetwork, onStorage }) {
    const aborter = new AbortController();
    const { signal } = aborter;
    document.addEventListener("visibilitychange", onVisibility, { signal });
    document.addEventListener("resume", onWake, { signal });
    window.addEventListener("pageshow", (event) => event.persisted && onWake(), { signal });
    window.addEventListener("online", onNetwork, { signal });
    window.addEventListener("offline", onNetwork, { signal });
    window.addEventListener("storage", onStorage, { signal });
    return () => aborter.abort();
  },
};
