import type { ChatPageProps } from "@messageoh/contracts/frontends";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import { type ChatApi, PAGE_LIMIT } from "./fetching/chatApi.ts";
import type { History } from "./fetching/history.ts";
import type { Notifications } from "./notifications/notifications.ts";
import type { Offline } from "./offline/createOffline.ts";
import { newClientId } from "./outbox/clientId.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Store } from "./state/store.ts";
import { keyOf } from "./state/thread/message.ts";
import { messageAt } from "./state/thread/segments.ts";
import type { Drafts } from "./storage/drafts.ts";
import type { ChatActions } from "./view/model.ts";

/** Callbacks of the shell. */
export type ChatHost = Pick<ChatPageProps, "navigate" | "onUserChanged" | "onLoggedOut">;

export interface ActionsOptions {
  api: ChatApi;
  store: Store;
  history: History;
  drafts: Drafts;
  offline: Offline;
  realtime: Realtime;
  notifications: Notifications;
  /** Returns the current callbacks, because a render may replace them. */
  host: () => ChatHost;
  retryLoad: () => void;
  /** Leaves the chat; `"ended"` if the server ended the session. */
  end: (why?: "ended") => void;
}

/** Returns the user's actions, which keep their identity. */
export function createActions(options: ActionsOptions): ChatActions {
  const { api, store, history, drafts, offline, realtime, notifications, host, retryLoad, end } = options;

  function openThread(friendId: string | null): void {
    if (friendId === store.get().openFriendId) return;
    host().navigate(friendId === null ? "/home" : `/home/${encodeURIComponent(friendId)}`);
  }

  function saveDraft(threadId: string, text: string): void {
    drafts.save(threadId, text);
    store.dispatch({ type: "draftsChanged", threadIds: [threadId], isDraft: text.trim() !== "" });
  }

  function showUser(user: User): void {
    store.dispatch({ type: "userChanged", user });
    host().onUserChanged(user);
  }

  function answerNotice(friendId: string): void {
    store.dispatch({ type: "friendFlagged", friendId, hasNotice: false });
    // If the call fails, the next page shows the notice again.
    api.changeFriend(friendId, { has_notice: false }).catch((error: unknown) => {
      console.warn("The notice could not be answered", error);
    });
  }

  return {
    retryLoad,
    openThread,

    sendMessage(threadId, text) {
      const thread = store.get().threads.get(threadId);
      if (!thread || text.trim() === "") return;
      realtime.outbox.add({
        client_id: newClientId(),
        thread_id: threadId,
        recipient_user_id: thread.friendId,
        text: text.trimEnd(),
      });
      // The first own message answers the notice.
      if (store.get().noticeIds.has(thread.friendId)) answerNotice(thread.friendId);
      notifications.offer();
      saveDraft(threadId, "");
      realtime.typing.ended(threadId);
      if (thread.viewSeq !== null) void history.goToLatest(threadId);
    },
    retryMessage: (key) => realtime.outbox.retry(key),
    deleteMessage: (key) => realtime.outbox.delete(key),

    loadOlder: history.loadOlder,
    loadNewer: history.loadNewer,
    jumpToLatest: (threadId) => void history.goToLatest(threadId),
    async jumpToMessage(reference) {
      const { thread_id: threadId, seq } = reference;
      const thread = store.get().threads.get(threadId);
      if (!thread) return;
      const fetched = history.goTo(reference);
      openThread(thread.friendId);
      await fetched;
      const { threads, me } = store.get();
      const message = messageAt(threads.get(threadId)?.segments ?? [], seq);
      if (message) store.dispatch({ type: "jumped", threadId, key: keyOf(message, me.id) });
    },

    async searchMessages(text, before, signal, threadId) {
      if (store.get().isFromDevice) return offline.search(text, before, threadId);
      const items = await api.searchMessages(text, before, signal, threadId);
      return { items, last: items.length >= PAGE_LIMIT ? (items.at(-1) ?? null) : null };
    },
    async searchUsers(text, after, signal) {
      for (let last = after; ; ) {
        const page = await api.searchUsers(text, last, signal);
        const { me, friends } = store.get();
        const items = page.users.filter((user) => user.id !== me.id && !friends.has(user.id));
        last = page.hasMore ? (page.users.at(-1) ?? null) : null;
        // A page with only friends in it does not mean that no users follow.
        if (items.length > 0 || last === null) return { items, last };
      }
    },

    async addFriend(found: User) {
      const { threadId } = await api.addFriend(found.id);
      const { me, friends } = store.get();
      // The server's event may be earlier than its response, and newer than the search result.
      const friend = friends.get(found.id) ?? found;
      store.dispatch({ type: "friendAdded", friend, threadId, isOnTop: true });
      const thread = { thread_id: threadId, created_at: new Date().toISOString() };
      realtime.addFriend(friend.id, newMessageThread(startingMessage(thread, me.id, friend.id), me));
      openThread(friend.id);
    },

    async endFriendship(friendId, how) {
      await (how === "block" ? api.block(friendId) : api.unfriend(friendId));
      store.dispatch({ type: "friendRemoved", friendId });
    },
    async mute(friendId, isMuted) {
      await api.changeFriend(friendId, { is_muted: isMuted });
      store.dispatch({ type: "friendFlagged", friendId, isMuted });
    },
    answerNotice,
    listBlocked: api.blocked,
    unblock: api.unblock,
    getPrivacy: api.privacy,
    changePrivacy: api.changePrivacy,

    changeAvatar: async (avatarId) => showUser(await api.changeAvatar(avatarId)),
    changeName: async (name) => showUser(await api.changeName(name)),
    getProfile: api.profile,
    downloadData: api.download,

    logOut() {
      // Log out locally even if the server is slow or unreachable.
      api.logOut().catch((error: unknown) => console.warn("The session could not be ended", error));
      drafts.wipe();
      end();
    },

    async deleteAccount(password, texts) {
      await api.deleteAccount(password, texts);
      drafts.wipe();
      realtime.outbox.wipe();
      end();
    },
    listSessions: api.sessions,
    endSession: api.endSession,
    changePassword: api.changePassword,
    async logOutEverywhere() {
      await api.endSessions();
      drafts.wipe();
      end();
    },

    notificationSettings: notifications.settings,
    changeNotifications: notifications.change,
    draftOf: drafts.of,
    saveDraft,
    setCovered: realtime.setCovered,
    reconnect: realtime.reconnect,
    notifyTyping: (threadId) => realtime.typing.notify(threadId),
  };
}
