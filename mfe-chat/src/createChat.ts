import type { ChatPageProps } from "@messageoh/contracts/frontends";
import type { User } from "@messageoh/contracts/users";
import { createAccountActions } from "./actions/account.ts";
import { createAttachmentActions } from "./actions/attachments.ts";
import { createChangeActions } from "./actions/changes.ts";
import { createDraftActions } from "./actions/drafts.ts";
import { createFriendActions } from "./actions/friends.ts";
import { createMessageActions } from "./actions/messages.ts";
import { createNavigation } from "./actions/navigation.ts";
import { createSearchActions } from "./actions/search.ts";
import { type ChatApi, createChatApi } from "./fetching/chatApi.ts";
import { createHistory } from "./fetching/history.ts";
import { createLoading } from "./fetching/loading.ts";
import { invitedBy } from "./links/inviteLink.ts";
import { linkedMessage } from "./links/messageLink.ts";
import { createNotifications } from "./notifications/notifications.ts";
import { createOffline } from "./offline/createOffline.ts";
import type { Device } from "./offline/database.ts";
import { createFileStore, type FileBytes } from "./outbox/fileStore.ts";
import { createOutboxStorage } from "./outbox/outboxStorage.ts";
import { createTabLock, type TabLock } from "./outbox/tabLock.ts";
import type { UploadFile } from "./outbox/uploads.ts";
import { createPendingQueue } from "./pending/pendingQueue.ts";
import { createPendingStorage } from "./pending/pendingStorage.ts";
import { browserPage, type PageLifecycle } from "./realtime/pageLifecycle.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { type ChatSocket, createChatSocket } from "./realtime/socket/socket.ts";
import { createSession } from "./session.ts";
import { firstState, openThreadOf } from "./state/chatState.ts";
import { createStore } from "./state/store.ts";
import { browserStorage, type KeyValueStorage } from "./storage/browserStorage.ts";
import { createDrafts } from "./storage/drafts.ts";
import { createSettingsStorage } from "./storage/notificationSettings.ts";
import { createPreparer, createUploader } from "./uploading/uploader.ts";

/** Callbacks of the shell. */
type ChatHost = Pick<ChatPageProps, "navigate" | "onUserChanged" | "onLoggedOut">;

export interface ChatEnvironment {
  page: PageLifecycle;
  storage: KeyValueStorage;
  /** Returns the lock that elects a tab for a purpose: by default to send messages. */
  lock: (userId: string, purpose?: string) => TabLock;
  createApi: (userId: string, onUnauthorised: () => void, send: ChatPageProps["send"]) => ChatApi;
  createSocket: () => ChatSocket;
  /** Opens what the device stores of a user in a database of this name. Without it, nothing is stored. */
  openDevice?: (database: string, userId: string) => Promise<Device>;
  /** Opens the files of unsent messages in a database of this name. Without it, they are lost with the page. */
  openFiles?: (database: string) => Promise<FileBytes>;
  /** Replaces uploads. */
  uploadFile?: UploadFile;
}

/** Properties of the page that control what the chat stores on the device, and how it makes calls. */
export type HostProps = Pick<ChatPageProps, "deviceDatabase" | "isUnconfirmed" | "send">;

const browser = (): ChatEnvironment => ({
  page: browserPage,
  storage: browserStorage(),
  lock: (userId, purpose) => createTabLock(userId, navigator.locks, purpose),
  createApi: (userId, onUnauthorised, send) => createChatApi({ userId, onUnauthorised, send }),
  createSocket: createChatSocket,
  openDevice: async (database, userId) => (await import("./offline/chunk.ts")).createDevice(database, userId),
  openFiles: async (database) => (await import("./offline/chunk.ts")).createDeviceFiles(database),
});

export type Chat = ReturnType<typeof createChat>;

/**
 * Returns one user's chat in one tab: its state, and its actions by feature. It is idle until it is started.
 * @param host returns the current callbacks, because a render may replace them
 */
export function createChat(
  user: User,
  friendId: string | undefined,
  host: () => ChatHost,
  environment: ChatEnvironment = browser(),
  { deviceDatabase, isUnconfirmed, send }: HostProps = {},
) {
  const { page, storage, openDevice, openFiles } = environment;
  const onUserChanged = (changed: User) => host().onUserChanged(changed);
  const store = createStore(firstState(user, friendId ?? null, page.isVisible()));
  const session = createSession();
  const api = environment.createApi(user.id, () => session.end("ended"), send);
  const kept = createDrafts(user.id, storage);
  const pending = createPendingQueue({
    storage: createPendingStorage(user.id, storage),
    lock: environment.lock(user.id, "changes"),
    canSend: page.isOnline,
    send: (change) => api.saveChange(change),
    onChange: (changes) => store.dispatch({ type: "pendingChanged", pending: changes }),
  });
  const drafts = createDraftActions({ store, drafts: kept, queue: pending });
  const offline = createOffline({
    store,
    openDevice: openDevice && deviceDatabase !== undefined ? () => openDevice(deviceDatabase, user.id) : null,
  });
  const files = createFileStore(
    openFiles && deviceDatabase !== undefined ? () => openFiles(deviceDatabase) : null,
    session.isEnded,
  );
  const history = createHistory({ api, store });
  const navigation = createNavigation({ api, store, history, navigate: (...to) => host().navigate(...to) });
  const notifications = createNotifications({
    userId: user.id,
    store,
    page,
    settings: createSettingsStorage(user.id, storage),
    openThread: navigation.openThread,
  });
  const loading = createLoading({
    api,
    store,
    onLoaded() {
      offline.keep();
      // The thread of the message replaces the address, so a reload does not jump again.
      const message = linkedMessage(page.address().hash);
      if (message) void navigation.jumpToMessage(message);
    },
  });
  const realtime = createRealtime({
    api,
    store,
    page,
    history,
    socket: environment.createSocket(),
    storage: createOutboxStorage(user.id, storage),
    lock: environment.lock(user.id),
    files,
    prepareFile: createPreparer(files),
    uploadFile: environment.uploadFile ?? createUploader({ api, files }),
    onSessionEnded: () => session.end("ended"),
    onUserChanged,
    onStorage(event) {
      notifications.handleStorage(event);
      pending.handleStorage(event);
    },
    onWake: pending.reload,
    onReachable() {
      pending.flush();
      const { status, isFromDevice } = store.get();
      const open = openThreadOf(store.get());
      if (status === "failed" || isFromDevice) void loading.load();
      else if (open?.hasFailed) void history.loadOlder(open.threadId);
    },
  });
  const { outbox, typing } = realtime;
  const changes = createChangeActions({ store, queue: pending, outbox, drafts });
  const friends = createFriendActions({ api, store, realtime });
  const { answerNotice } = friends;
  const attachments = createAttachmentActions(store);
  const messages = createMessageActions({
    api,
    store,
    history,
    drafts,
    outbox,
    files,
    attachments,
    typing,
    notifications,
    answerNotice,
  });
  const account = createAccountActions({
    api,
    store,
    drafts,
    outbox,
    pending,
    session,
    onUserChanged,
  });

  /** Friend id from the last URL that did not match a friend. */
  let unknownFriendId: string | null = null;
  let unsubscribe: (() => void) | null = null;
  const stopListeners = new Set<() => void>();

  /** Returns whether this page has what no storage keeps. */
  function hasUnsaved(): boolean {
    const { chosen, recordingIn } = store.get();
    const hasFiles = [...chosen.values()].some((ofThread) => ofThread.length > 0);
    return hasFiles || recordingIn !== null || changes.hasTyped() || outbox.hasUnstored();
  }

  /** Updates the URL and loads the first page when the state changes. */
  function follow(): void {
    drafts.update();
    const { status, openFriendId, friends: known } = store.get();
    if (status !== "ready") return;
    const isUnknown = openFriendId !== null && !known.has(openFriendId);
    const isNews = openFriendId !== unknownFriendId;
    unknownFriendId = isUnknown ? openFriendId : null;
    if (!isUnknown) void history.ensureOpen();
    else if (isNews) host().navigate("/home", { replace: true });
  }

  session.onEnd((why, call) => {
    loading.cancel();
    realtime.stop();
    drafts.stop();
    pending.stop();
    notifications.end();
    host().onLoggedOut(why, call);
  });

  return {
    store,
    api,
    ...navigation,
    messages,
    attachments,
    files,
    changes,
    friends,
    account,
    search: createSearchActions({ api, store, offline }),
    notifications,
    realtime,
    /** Returns the token of the link by which the user came, once: /home replaces the address. */
    takeInvite(): string | null {
      const token = invitedBy(page.address().search);
      if (token !== null) host().navigate("/home", { replace: true });
      return token;
    },
    retryLoad() {
      store.dispatch({ type: "statusChanged", status: "loading" });
      void loading.load();
    },
    /** Shows the result of an action in a thread, with a button that takes the action back. */
    showNotice: (threadId: string, text: string, onUndo?: () => void) =>
      store.dispatch({ type: "noticeShown", threadId, text, onUndo }),
    /** Handles a change of the friend id in the URL. */
    openFriend: (id: string | undefined) => store.dispatch({ type: "friendOpened", friendId: id ?? null }),
    changeUser: (changed: User) => store.dispatch({ type: "userChanged", user: changed }),
    start(): void {
      session.begin();
      unsubscribe = store.subscribe(follow);
      store.dispatch({ type: "draftsChanged", threadIds: kept.threadIds(), isDraft: true });
      realtime.start(hasUnsaved);
      pending.start();
      notifications.start();
      if (isUnconfirmed) void offline.show().then(loading.load);
      else void loading.load();
    },
    /** The server has confirmed the user, so it responds again. */
    confirmed(): void {
      if (store.get().isFromDevice) void loading.load();
    },
    /** Calls a function once, when the chat stops. */
    onStop: (listener: () => void) => void stopListeners.add(listener),
    stop(): void {
      for (const listener of stopListeners) listener();
      stopListeners.clear();
      session.close();
      loading.cancel();
      offline.stop();
      unsubscribe?.();
      notifications.stop();
      drafts.stop();
      pending.stop();
      realtime.stop();
    },
  };
}
