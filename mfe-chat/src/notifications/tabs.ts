import { createTabLock } from "../outbox/tabLock.ts";

export type Tabs = ReturnType<typeof createTabs>;

/**
 * Elects one of the user's tabs in this browser, and tells whether any of them is visible. Without the Web Locks API
 * every tab counts itself only; their notifications replace each other.
 */
export function createTabs(userId: string, locks: LockManager | undefined) {
  const election = createTabLock(userId, locks, "notifications");
  const visibleName = `messageoh:visible:${userId}`;
  let isElected = false;
  let isVisible = false;
  let hide = (): void => undefined;

  return {
    start(): void {
      election.start((elected) => {
        isElected = elected;
      });
    },
    setVisible(visible: boolean): void {
      if (visible === isVisible) return;
      isVisible = visible;
      hide();
      if (visible && locks) {
        const hidden = new Promise<void>((resolve) => {
          hide = resolve;
        });
        locks.request(visibleName, { mode: "shared" }, () => hidden).catch(() => undefined);
      }
    },
    isElected: () => isElected,
    async isAnyVisible(): Promise<boolean> {
      if (isVisible || !locks) return isVisible;
      const { held = [] } = await locks.query();
      return held.some(({ name }) => name === visibleName);
    },
    stop(): void {
      election.stop();
      hide();
      isVisible = false;
    },
  };
}
