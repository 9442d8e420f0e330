/** Decides which of a user's tabs sends. */
export interface SenderLock {
  /** Waits to become the sender, and again whenever another tab took it over. */
  start: (onChange: (isSender: boolean) => void) => void;
  /** Becomes the sender now: the one that is may be frozen in the background. */
  takeOver: () => void;
  stop: () => void;
}

/**
 * One tab at a time, by a lock of the browser that ends with its tab. Without locks (a page that is not from a secure
 * origin) every tab sends: the ids of the messages make that harmless.
 */
export function createSenderLock(userId: string, locks: LockManager | undefined): SenderLock {
  const name = `messageoh:outbox:${userId}`;
  let tell: (isSender: boolean) => void = () => undefined;
  let waiting: AbortController | null = null;
  let release: (() => void) | null = null;

  function hold(): Promise<void> {
    tell(true);
    return new Promise((resolve) => {
      release = resolve;
    });
  }

  function wait(manager: LockManager): void {
    const aborter = new AbortController();
    waiting = aborter;
    manager.request(name, { signal: aborter.signal }, hold).catch(() => {
      // Given up here, or taken over by another tab.
      if (!aborter.signal.aborted) lose(manager);
    });
  }

  function lose(manager: LockManager): void {
    release = null;
    tell(false);
    wait(manager);
  }

  return {
    start(onChange) {
      tell = onChange;
      if (locks) wait(locks);
      else tell(true);
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
      tell = () => undefined;
      waiting?.abort();
      release?.();
      release = null;
    },
  };
}
