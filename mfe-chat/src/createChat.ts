import type { ChatPageProps } from "@messageoh/contracts/frontends";
import type { User } from "@messageoh/contracts/users";
import { type ChatHost, createActions } from "./createActions.ts";
import { type ChatApi, createChatApi } from "./fetching/chatApi.ts";
import { createHistory } from "./fetching/history.ts";
import { linkedMessage } from "./links/messageLink.ts";
import { createNotifications } from "./notifications/notifications.ts";
import { createOffline } from "./offline/createOffline.ts";
import type { Device } from "./offline/device.ts";
import { createOutboxStorage, type KeyValueStorage } from "./outbox/outboxStorage.ts";
import { createSenderLock, type SenderLock } from "./outbox/senderLock.ts";
import { browserPage, type PageLife } from "./realtime/page.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { createChatSocket } from "./realtime/socket/socket.ts";
import { firstState, openThreadOf } from "./state/chatState.ts";
import { createStore } from "./state/store.ts";
import { browserStorage } from "./storage/browserStorage.ts";
import { createDrafts } from "./storage/drafts.ts";
import { createSettingsStorage } from "./storage/notificationSettings.ts";
import type { Chat } from "./view/model.ts";
import { createSelectSnapshot } from "./view/selectors.ts";

export interface ChatEnvironment {
  page: PageLife;
  storage: KeyValueStorage;
  lock: (userId: string) => SenderLock;
  createApi: (userId: string, onUnauthorised: () => void, send: ChatPageProps["send"]) => ChatApi;
  createSocket: typeof createChatSocket;
  /** Opens what the device stores of a user in a database of this name. Without it, nothing is stored. */
  openDevice?: (database: string, userId: string) => Promise<Device>;
}

/** Properties of the page that control what the chat stores on the device, and how it makes calls. */
export type HostProps = Pick<ChatPageProps, "deviceDatabase" | "isUnconfirmed" | "send">;

const browser = (): ChatEnvironment => ({
  page: browserPage,
  storage: browserStorage(),
  lock: (userId) => createSenderLock(userId, navigator.locks),
  createApi: (userId, onUnauthorised, send) => createChatApi({ userId, onUnauthorised, send }),
  createSocket: createChatSocket,
  openDevice: async (database, userId) => (await import("./offline/chunk.ts")).createDevice(database, userId),
});

/**
 * Returns one user's chat in one tab, composed of state, fetching, outbox and realtime. It is idle until it is started.
 */
export function createChat(
  user: User,
  friendId: string | undefined,
  host: () => ChatHost,
  environment: ChatEnvironment = browser(),
  { deviceDatabase, isUnconfirmed, send }: HostProps = {},
) {
  const { page, storage, openDevice } = environment;
  const store = createStore(firstState(user, friendId ?? null, page.isVisible()));
  let hasEnded = false;
  let attempt = 0;
  /** Friend id from the last URL that did not match a friend. */
  let unknownFriendId: string | null = null;

  function end(why?: "ended"): void {
    if (hasEnded) return;
    hasEnded = true;
    realtime.stop();
    notifications.end();
    host().onLoggedOut(why);
  }

  const api = environment.createApi(user.id, () => end("ended"), send);
  const history = createHistory({ api, store });
  const drafts = createDrafts(user.id, storage);
  const offline = createOffline({
    store,
    openDevice: openDevice && deviceDatabase !== undefined ? () => openDevice(deviceDatabase, user.id) : null,
  });
  const realtime = createRealtime({
    api,
    store,
    page,
    outboxStorage: createOutboxStorage(user.id, storage),
    lock: environment.lock(user.id),
    createSocket: environment.createSocket,
    onSessionEnded: () => end("ended"),
    onUserChanged: (changed) => host().onUserChanged(changed),
    onStorage: (event) => notifications.handleStorage(event),
    onReachable() {
      const { status, isFromDevice } = store.get();
      void (status === "failed" || isFromDevice ? load() : retryOpenThread());
    },
  });

  const notifications = createNotifications({
    userId: user.id,
    store,
    page,
    settings: createSettingsStorage(user.id, storage),
    openThread: (id) => actions.openThread(id),
  });

  async function load(): Promise<void> {
    attempt += 1;
    const own = attempt;
    if (!store.get().isFromDevice) store.dispatch({ type: "statusChanged", status: "loading" });
    const before = store.get().friends;
    try {
      const [friends, messages, threads] = await Promise.all([api.friends(), api.previews(), api.threads()]);
      if (own !== attempt) return;
      store.dispatch(
        { type: "deviceLeft" },
        { type: "friendsListed", friends, before },
        { type: "previewsListed", messages },
        { type: "threadsSynced", threads },
        { type: "statusChanged", status: "ready" },
      );
      realtime.loaded();
      offline.keep();
      openLinkedMessage();
    } catch (error) {
      if (own !== attempt || hasEnded) return;
      console.warn("The chat could not be loaded", error);
      if (store.get().isFromDevice) return;
      store.dispatch({ type: "statusChanged", status: "failed" });
    }
  }

  /** Opens the message that the address names. Its thread replaces the address, so a reload does not jump again. */
  function openLinkedMessage(): void {
    const message = linkedMessage(page.hash());
    if (message) void actions.jumpToMessage(message);
  }

  async function retryOpenThread(): Promise<void> {
    const open = openThreadOf(store.get());
    if (open?.hasFailed) await history.loadOlder(open.threadId);
  }

  /** Updates the URL and loads the first page when the state changes. */
  function follow(): void {
    const { status, openFriendId, friends } = store.get();
    if (status !== "ready") return;
    const isUnknown = openFriendId !== null && !friends.has(openFriendId);
    const isNews = openFriendId !== unknownFriendId;
    unknownFriendId = isUnknown ? openFriendId : null;
    if (!isUnknown) void history.ensureOpen();
    else if (isNews) host().navigate("/home", { replace: true });
  }

  const select = createSelectSnapshot(user.id);
  const actions = createActions({
    api,
    store,
    history,
    drafts,
    offline,
    realtime,
    notifications,
    host,
    retryLoad: () => void load(),
    end,
  });
  let chat: Chat = { ...select(store.get()), ...actions };
  let shown = store.get();
  let unsubscribe: (() => void) | null = null;

  return {
    subscribe: store.subscribeView,
    get(): Chat {
      if (store.get() !== shown) {
        shown = store.get();
        chat = { ...select(shown), ...actions };
      }
      return chat;
    },
    /** Handles a change of the friend id in the URL. */
    openFriend: (id: string | undefined) => store.dispatch({ type: "friendOpened", friendId: id ?? null }),
    changeUser: (changed: User) => store.dispatch({ type: "userChanged", user: changed }),
    start(): void {
      hasEnded = false;
      unsubscribe = store.subscribe(follow);
      store.dispatch({ type: "draftsChanged", threadIds: drafts.threadIds(), isDraft: true });
      realtime.start();
      notifications.start();
      if (isUnconfirmed) void offline.show().then(load);
      else void load();
    },
    /** The server has confirmed the user, so it responds again. */
    confirmed(): void {
      if (store.get().isFromDevice) void load();
    },
    stop(): void {
      attempt += 1;
      offline.stop();
      unsubscribe?.();
      notifications.stop();
      realtime.stop();
    },
  };
}
