import type { MessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import { createCatchUp } from "../fetching/catchUp.ts";
import type { ChatApi } from "../fetching/chatApi.ts";
import { createFollowUp, type FollowUpOptions } from "./followUp.ts";
import type { PageLifecycle, PageListeners } from "./pageLifecycle.ts";
import { createPresence } from "./presence.ts";
import { createReceipts } from "./receipts/receipts.ts";
import { createSending, type SendingOptions } from "./sending.ts";
import { createConnectionWatch } from "./socket/connection.ts";
import { joinFriendRooms, joinOwnRoom } from "./socket/rooms.ts";
import { createServerHandlers } from "./socket/serverHandlers.ts";
import { createTyping } from "./typing.ts";

export interface RealtimeOptions extends Omit<SendingOptions, "onLate"> {
  api: ChatApi;
  page: PageLifecycle;
  history: FollowUpOptions["history"];
  onSessionEnded: () => void;
  /** Called when another tab changed the user's own profile. */
  onUserChanged: (user: User) => void;
  /** Called when another tab has changed the storage. */
  onStorage: (event: StorageEvent) => void;
  /** Called when the page was suspended, so that it has missed changes of the storage. */
  onWake: () => void;
  /** Called when the server becomes reachable, and after each successful poll. */
  onReachable: () => void;
}

export type Realtime = ReturnType<typeof createRealtime>;

/** Returns the background work of the chat: the connection, its events, and the catch-up after a gap. */
export function createRealtime(options: RealtimeOptions) {
  const { api, store, page, socket, history, onSessionEnded, onReachable } = options;
  const userId = store.get().me.id;
  /** Catching up begins when the friends and threads are loaded from the server. */
  let isLoaded = false;
  /** Number of the views that cover the open thread. */
  let covers = 0;
  /** Increases when a connection begins or ends, which cancels the work of the previous one. */
  let epoch = 0;
  let unsubscribes: (() => void)[] = [];

  /** Joins the room with each friend. */
  function joinFriends(friendIds: readonly string[]): void {
    const own = epoch;
    void joinFriendRooms(socket, userId, friendIds, () => own === epoch);
  }

  const presence = createPresence(store);
  const watch = createConnectionWatch((connection, reason, { isBroken, isOnline }) => {
    if (isBroken || !isOnline) presence.lost();
    store.dispatch({ type: "connectionChanged", connection, reason });
  });
  const typing = createTyping({
    emit: (thread_id, is_typing) => socket.emit("typing", { thread_id, is_typing }),
    onFriendTyping: (threadId, isTyping) => store.dispatch({ type: "typingChanged", threadId, isTyping }),
  });
  const outbox = createSending({
    ...options,
    onLate: (isLate, reason) => watch.learn({ isLate, lateReason: reason ?? null }),
  });
  const catchUp = createCatchUp({
    api,
    store,
    isLive: () => watch.facts().isSocketUp && !watch.facts().isDegraded,
    onResult(isHttpUp) {
      watch.learn({ isHttpUp });
      if (isHttpUp) onReachable();
    },
    onNewFriends: joinFriends,
  });
  const receipts = createReceipts({ api, store, request: socket.request });
  const followUp = createFollowUp({ store, receipts, outbox, catchUp, history });

  function synchronise(): void {
    catchUp.restart();
    for (const sender of receipts) sender.retry();
    onReachable();
    joinFriends([...store.get().friends.keys()]);
  }

  /** Subscribes to live events before catching up, so that no message is missed in between. */
  async function handleConnect(): Promise<void> {
    epoch += 1;
    const own = epoch;
    watch.socketUp();
    presence.reconnected();
    await joinOwnRoom(socket, userId);
    if (own !== epoch) return;
    outbox.flush();
    if (isLoaded) synchronise();
    else onReachable();
  }

  function followState(): void {
    const { status, isFromDevice } = store.get();
    const wasLoaded = isLoaded;
    isLoaded = status === "ready" && !isFromDevice;
    if (!isLoaded) return;
    if (!wasLoaded) {
      watch.learn({ isHttpUp: true });
      catchUp.start();
    }
    followUp.follow();
    if (!wasLoaded && socket.isConnected()) synchronise();
  }

  function updateVisibility(): void {
    store.dispatch({ type: "visibilityChanged", isVisible: page.isVisible() && covers === 0 });
  }

  function wake(): void {
    socket.connectNow();
    catchUp.request();
  }

  socket.listen({
    handlers: createServerHandlers({ ...options, typing, presence, watch, catchUp, joinFriends }),
    onConnect: () => void handleConnect(),
    onDisconnect() {
      epoch += 1;
      watch.socketDown();
      catchUp.reconsider();
    },
    onRefused: (refusal) => watch.learn({ refusal, isUnreachable: false }),
    onUnreachable: () => watch.learn({ refusal: null, isUnreachable: true }),
    async onUnauthorised() {
      // Only the service that keeps the sessions can confirm that one has ended.
      if (!(await api.isSessionValid())) onSessionEnded();
    },
  });

  return {
    outbox,
    typing,
    /** Tries to connect without waiting for the next attempt. */
    reconnect(): void {
      watch.learn({ isUnreachable: false });
      wake();
    },
    start(hasUnsaved: PageListeners["hasUnsaved"]): void {
      watch.learn({ isOnline: page.isOnline() });
      watch.socketDown();
      unsubscribes = [
        store.subscribe(followState),
        page.listen({
          onVisibility() {
            updateVisibility();
            if (page.isVisible()) wake();
          },
          onWake() {
            outbox.reload();
            options.onWake();
            wake();
          },
          onNetwork() {
            watch.learn({ isOnline: page.isOnline() });
            if (!page.isOnline()) return;
            wake();
            outbox.flush();
            onReachable();
          },
          onStorage(event) {
            outbox.handleStorage(event);
            options.onStorage(event);
          },
          hasUnsaved,
        }),
      ];
      updateVisibility();
      outbox.start();
      socket.connect();
    },
    /** Call when a view covers the open thread: messages are not marked read until the returned function is called. */
    cover(): () => void {
      covers += 1;
      updateVisibility();
      return () => {
        covers -= 1;
        updateVisibility();
      };
    },
    /** Notifies a friend whom the user added and joins the room with them. */
    addFriend(friendId: string, thread: MessageThread): void {
      const current_user = store.get().me;
      socket.emit("add_friend", { current_user, new_friend_id: friendId, message_thread: thread });
      joinFriends([friendId]);
      // The thread may have messages if the two were friends before, and the name may be that of an older search.
      catchUp.resync(0);
    },
    stop(): void {
      isLoaded = false;
      epoch += 1;
      for (const unsubscribe of unsubscribes) unsubscribe();
      unsubscribes = [];
      typing.stop();
      for (const sender of receipts) sender.stop();
      catchUp.stop();
      outbox.stop();
      presence.stop();
      watch.stop();
      socket.close();
    },
  };
}
