import type { Store } from "../state/store.ts";

/** After a reconnect the server lists the online friends; friends that it has not listed by then are offline. */
const CONFIRM_MS = 5_000;

export type Presence = ReturnType<typeof createPresence>;

/** Tracks which friends are online, without flicker during a reconnect. */
export function createPresence(store: Store) {
  let unconfirmed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    receive(userId: string, isOnline: boolean, lastSeenAt?: string): void {
      unconfirmed.delete(userId);
      store.dispatch({ type: "presenceChanged", userIds: [userId], isOnline, lastSeenAt });
    },
    reconnected(): void {
      unconfirmed = new Set(store.get().onlineIds);
      clearTimeout(timer);
      timer = setTimeout(
        () => store.dispatch({ type: "presenceChanged", userIds: [...unconfirmed], isOnline: false }),
        CONFIRM_MS,
      );
    },
    /** Clears the presence, which is unknown without a connection. */
    lost(): void {
      clearTimeout(timer);
      store.dispatch({ type: "presenceChanged", userIds: [...store.get().onlineIds], isOnline: false });
    },
    stop: () => clearTimeout(timer),
  };
}
