import type { ChatPageProps } from "@messageoh/contracts/frontends";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { ChatApi } from "./fetching/chatApi.ts";
import type { History } from "./fetching/history.ts";
import { newClientId } from "./outbox/clientId.ts";
import type { Realtime } from "./realtime/realtime.ts";
import { friendIdIn, keyOf } from "./state/friendIdIn.ts";
import type { Store } from "./state/store.ts";
import type { Drafts } from "./storage/drafts.ts";
import type { ChatActions } from "./view/model.ts";

/** The callbacks of the shell. */
export type ChatHost = Pick<ChatPageProps, "navigate" | "onUserChanged" | "onLoggedOut">;

export interface ActionsOptions {
  api: ChatApi;
  store: Store;
  history: History;
  drafts: Drafts;
  realtime: Realtime;
  /** Called at each use, because a render may replace the callbacks. */
  host: () => ChatHost;
  retryLoad: () => void;
  end: () => void;
}

/** What a user can do, one function each. */
export function createActions(options: ActionsOptions): ChatActions {
  const { api, store, history, drafts, realtime, host, retryLoad, end } = options;

  function openThread(friendId: string | null): void {
    if (friendId === store.get().openFriendId) return;
    host().navigate(friendId === null ? "/home" : `/home/${encodeURIComponent(friendId)}`);
  }

  return {
    retryLoad,
    openThread,

    sendMessage(threadId, text) {
      const thread = store.get().threads.get(threadId);
      const trimmed = text.trim();
      if (!thread || trimmed === "") return;
      realtime.outbox.add({
        client_id: newClientId(),
        thread_id: threadId,
        recipient_user_id: thread.friendId,
        text: trimmed,
      });
      drafts.save(threadId, "");
      realtime.typing.ended(threadId);
      if (thread.viewSeq !== null) void history.goToLatest(threadId);
    },
    retryMessage: (key) => realtime.outbox.retry(key),
    deleteMessage: (key) => realtime.outbox.delete(key),

    loadOlder: history.loadOlder,
    loadNewer: history.loadNewer,
    jumpToLatest: (threadId) => void history.goToLatest(threadId),
    async jumpToMessage(message) {
      const userId = store.get().me.id;
      const fetched = history.goTo(message);
      openThread(friendIdIn(message, userId));
      await fetched;
      store.dispatch({ type: "jumped", threadId: message.thread_id, key: keyOf(message, userId) });
    },

    searchMessages: api.searchMessages,
    async searchUsers(text, signal) {
      const found = await api.searchUsers(text, signal);
      const { me, friends } = store.get();
      return found.filter((user) => user.id !== me.id && !friends.has(user.id));
    },

    async addFriend(friend: User) {
      const { threadId } = await api.addFriend(friend.id);
      const { me } = store.get();
      store.dispatch({ type: "friendAdded", friend, threadId, isOnTop: true });
      const thread = { thread_id: threadId, created_at: new Date().toISOString() };
      realtime.addFriend(friend.id, newMessageThread(startingMessage(thread, me.id, friend.id), me));
      openThread(friend.id);
    },

    async changeAvatar(avatarId) {
      const changed = await api.changeAvatar(avatarId);
      store.dispatch({ type: "userChanged", user: changed });
      host().onUserChanged(changed);
    },

    async logOut() {
      // Who wants to leave leaves, also when nobody can be told.
      await api.logOut().catch((error: unknown) => console.warn("The session could not be ended", error));
      drafts.wipe();
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

    draftOf: drafts.of,
    saveDraft: drafts.save,
    notifyTyping: (threadId) => realtime.typing.notify(threadId),
  };
}
