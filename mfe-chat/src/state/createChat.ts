import type { Navigate } from "@messageoh/contracts/frontends";
import type { User } from "@messageoh/contracts/users";
import { type ChatApi, createChatApi } from "../api/chatApi.ts";
import { createOutboxStorage, type KeyValueStorage } from "../outbox/outboxStorage.ts";
import { createSenderLock, type SenderLock } from "../outbox/senderLock.ts";
import { browserPage, type PageLife } from "../realtime/page.ts";
import { createRealtime } from "../realtime/realtime.ts";
import { createChatSocket } from "../realtime/socket.ts";
import { createActions } from "./actions.ts";
import { firstState, openThreadOf } from "./chatState.ts";
import { createDrafts } from "./drafts.ts";
import { createHistory } from "./history.ts";
import type { Chat } from "./model.ts";
import { createSelectSnapshot } from "./selectors.ts";
import { createStore } from "./store.ts";

/** What the shell hands over; asked for at each use, as it may change. */
export interface ChatHost {
  navigate: Navigate;
  onUserChanged: (user: User) => void;
  onLoggedOut: () => void;
}

export interface ChatEnvironment {
  page: PageLife;
  storage: KeyValueStorage;
  lock: (userId: string) => SenderLock;
  createApi: (userId: string, onUnauthorised: () => void) => ChatApi;
  createSocket: typeof createChatSocket;
}

const browser = (): ChatEnvironment => ({
  page: browserPage,
  storage: localStorage,
  lock: (userId) => createSenderLock(userId, navigator.locks),
  createApi: (userId, onUnauthorised) => createChatApi({ userId, onUnauthorised }),
  createSocket: createChatSocket,
});

export type ChatSession = ReturnType<typeof createChat>;

/** One user's chat in one tab: state, connection and outbox put together. Does nothing before it is started. */
export function createChat(
  user: User,
  friendId: string | undefined,
  host: () => ChatHost,
  environment: ChatEnvironment = browser(),
) {
  const { page, storage } = environment;
  const store = createStore(firstState(user, friendId ?? null, page.isVisible()));
  let hasEnded = false;
  let attempt = 0;
  /** Whom the address named last that is no friend. */
  let strangerId: string | null = null;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    realtime.stop();
    host().onLoggedOut();
  }

  const api = environment.createApi(user.id, end);
  const history = createHistory({ api, store });
  const drafts = createDrafts(user.id, storage);
  const realtime = createRealtime({
    api,
    store,
    page,
    outboxStorage: createOutboxStorage(user.id, storage),
    lock: environment.lock(user.id),
    createSocket: environment.createSocket,
    onSessionEnded: end,
    onUserChanged: (changed) => host().onUserChanged(changed),
    onReachable: () => void (store.get().status === "failed" ? load() : retryOpenThread()),
  });

  async function load(): Promise<void> {
    attempt += 1;
    const own = attempt;
    store.dispatch({ type: "statusChanged", status: "loading" });
    try {
      const [friends, messages, threads] = await Promise.all([api.friends(), api.previews(), api.threads()]);
      if (own !== attempt) return;
      store.dispatch({ type: "friendsListed", friends });
      store.dispatch({ type: "previewsListed", messages });
      store.dispatch({ type: "threadsSynced", threads });
      store.dispatch({ type: "statusChanged", status: "ready" });
      realtime.loaded();
    } catch (error) {
      if (own !== attempt || hasEnded) return;
      console.warn("The chat could not be loaded", error);
      store.dispatch({ type: "statusChanged", status: "failed" });
    }
  }

  async function retryOpenThread(): Promise<void> {
    const open = openThreadOf(store.get());
    if (open?.hasFailed) await history.loadOlder(open.threadId);
  }

  /** The address and the first page follow the state. */
  function follow(): void {
    const { status, openFriendId, friends } = store.get();
    if (status !== "ready") return;
    const isStranger = openFriendId !== null && !friends.has(openFriendId);
    const isNews = openFriendId !== strangerId;
    strangerId = isStranger ? openFriendId : null;
    if (!isStranger) void history.ensureOpen();
    else if (isNews) host().navigate("/home", { replace: true });
  }

  const select = createSelectSnapshot(user.id);
  const actions = createActions({ api, store, history, drafts, realtime, host, retryLoad: () => void load(), end });
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
    /** The address names another friend, or nobody. */
    openFriend: (id: string | undefined) => store.dispatch({ type: "friendOpened", friendId: id ?? null }),
    changeUser: (changed: User) => store.dispatch({ type: "userChanged", user: changed }),
    start(): void {
      hasEnded = false;
      unsubscribe = store.subscribe(follow);
      realtime.start();
      void load();
    },
    stop(): void {
      attempt += 1;
      unsubscribe?.();
      realtime.stop();
    },
  };
}
