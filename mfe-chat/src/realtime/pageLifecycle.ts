/** Events and state of the page in its browser. */
export interface PageLifecycle {
  isVisible: () => boolean;
  isOnline: () => boolean;
  /** Returns the query and the fragment of the address. */
  address: () => Pick<Location, "search" | "hash">;
  /** @returns a function that unsubscribes */
  listen: (listeners: PageListeners) => () => void;
}

export interface PageListeners {
  onVisibility: () => void;
  /** The page was suspended, including its timers and connections. */
  onWake: () => void;
  onNetwork: () => void;
  onStorage: (event: StorageEvent) => void;
  /** Returns whether something would be lost with the page. The browser then asks before it closes or reloads it. */
  hasUnsaved: () => boolean;
}

export const browserPage: PageLifecycle = {
  isVisible: () => document.visibilityState === "visible",
  isOnline: () => navigator.onLine,
  address: () => location,
  listen({ onVisibility, onWake, onNetwork, onStorage, hasUnsaved }) {
    const aborter = new AbortController();
    const { signal } = aborter;
    document.addEventListener("visibilitychange", onVisibility, { signal });
    document.addEventListener("resume", onWake, { signal });
    window.addEventListener("pageshow", (event) => event.persisted && onWake(), { signal });
    window.addEventListener("online", onNetwork, { signal });
    window.addEventListener("offline", onNetwork, { signal });
    window.addEventListener("storage", onStorage, { signal });
    window.addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault(), { signal });
    return () => aborter.abort();
  },
};
