import type { Store } from "../state/store.ts";

/** After a reconnect the server tells anew who is there. Whom it has not named by then has left meanwhile. */
const CONFIRM_MS = 5_000;

export type Presence = ReturnType<typeof createPresence>;

/** Who is online, over breaks of the connection without a flicker. */
export function createPresence(store: Store) {
  let unconfirmed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    receive(userId: string, isOnline: boolean): void {
      unconfirmed.delete(userId);
      store.dispatch({ type: "presenceChanged", userIds: [userId], isOnline });
    },
    reconnected(): void {
      unconfirmed = new Set(store.get().onlineIds);
      clearTimeout(timer);
      timer = setTimeout(
        () => store.dispatch({ type: "presenceChanged", userIds: [...unconfirmed], isOnline: false }),
        CONFIRM_MS,
      );
    },
    /** Without a connection nobody knows. */
    lost(): void {
      clearTimeout(timer);
      store.dispatch({ type: "presenceChanged", userIds: [...store.get().onlineIds], isOnline: false });
    },
    stop: () => clearTimeout(timer),
  };
}
