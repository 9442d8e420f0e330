/** Elects one of a user's tabs, for example the one that sends messages. */
export interface TabLock {
  /** Waits for the lock, and again after another tab took it over. */
  start: (onChange: (isHolder: boolean) => void) => void;
  /** Takes the lock over, because the tab that holds it may be frozen in the background. */
  takeOver: () => void;
  stop: () => void;
}

/** The subset of the Web Locks API that the lock uses; `navigator.locks` satisfies it. */
export interface Locks {
  request: (name: string, options: LockOptions, callback: () => Promise<void>) => Promise<void>;
}

/**
 * Returns a lock on the Web Locks API, which releases it when the tab closes. Without that API (insecure origin), or if
 * it rejects a request, every tab sends; the messages' client ids deduplicate them.
 * @param purpose what the tab is elected for
 */
export function createTabLock(userId: string, locks: Locks | undefined, purpose = "outbox"): TabLock {
  const name = `messageoh:${purpose}:${userId}`;
  let notify: (isHolder: boolean) => void = () => undefined;
  let waiting: AbortController | null = null;
  let release: (() => void) | null = null;

  function hold(): Promise<void> {
    notify(true);
    return new Promise((resolve) => {
      release = resolve;
    });
  }

  function request(manager: Locks, options: LockOptions): void {
    waiting?.abort();
    const aborter = new AbortController();
    waiting = aborter;
    // The API rejects a request that has a signal and steals.
    const allOptions = options.steal ? options : { ...options, signal: aborter.signal };
    manager.request(name, allOptions, hold).catch(() => {
      // Stopped here, or this tab now steals the lock.
      if (aborter.signal.aborted) return;
      if (release) {
        // Taken over by another tab.
        release = null;
        notify(false);
        request(manager, {});
      } else {
        // The page has no locks, or it is being left. WebKit rejects each request of such a page, so another would too.
        notify(true);
      }
    });
  }

  return {
    start(onChange) {
      notify = onChange;
      if (locks) request(locks, {});
      else notify(true);
    },
    takeOver() {
      if (locks && !release) request(locks, { steal: true });
    },
    stop() {
      notify = () => undefined;
      waiting?.abort();
      release?.();
      release = null;
    },
  };
}
