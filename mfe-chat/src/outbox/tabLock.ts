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
 * Returns a lock on the Web Locks API, which releases it when the tab closes. Without that API (insecure origin) every
 * tab sends; the messages' client ids deduplicate them.
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

  function wait(manager: Locks): void {
    const aborter = new AbortController();
    waiting = aborter;
    manager.request(name, { signal: aborter.signal }, hold).catch(() => {
      // Stopped here, or taken over by another tab.
      if (!aborter.signal.aborted) lose(manager);
    });
  }

  function lose(manager: Locks): void {
    release = null;
    notify(false);
    wait(manager);
  }

  return {
    start(onChange) {
      notify = onChange;
      if (locks) wait(locks);
      else notify(true);
    },
    takeOver() {
      if (!locks || release) return;
      waiting?.abort();
      const aborter = new AbortController();
      waiting = aborter;
      locks.request(name, { steal: true }, hold).catch(() => {
        if (!aborter.signal.aborted) lose(locks);
      });
    },
    stop() {
      notify = () => undefined;
      waiting?.abort();
      release?.();
      release = null;
    },
  };
}
