import type { User } from "@messageoh/contracts/users";
import type { CatchUp } from "../../fetching/catchUp.ts";
import type { Store } from "../../state/store.ts";
import type { Presence } from "../presence.ts";
import type { Typing } from "../typing.ts";
import type { ConnectionWatch } from "./connection.ts";
import type { ServerHandlers } from "./socket.ts";

export interface ServerHandlersOptions {
  store: Store;
  typing: Typing;
  presence: Presence;
  watch: ConnectionWatch;
  catchUp: CatchUp;
  joinFriends: (friendIds: readonly string[]) => void;
  onUserChanged: (user: User) => void;
  onSessionEnded: () => void;
}

/** Returns the handler of each server event. */
export function createServerHandlers(options: ServerHandlersOptions): ServerHandlers {
  const { store, typing, presence, watch, catchUp, joinFriends, onUserChanged, onSessionEnded } = options;
  const isMe = (userId: string) => userId === store.get().me.id;

  return {
    receive_message(message) {
      if (!isMe(message.sending_user_id) && !isMe(message.recipient_user_id)) return;
      store.dispatch({ type: "messagesReceived", messages: [message] });
      const { threads, friends } = store.get();
      // An unknown friend was added without an event.
      if (!friends.has(threads.get(message.thread_id)?.friendId ?? "")) catchUp.request();
    },
    message_changed({ message }) {
      if (isMe(message.sending_user_id) || isMe(message.recipient_user_id))
        store.dispatch({ type: "messagesChanged", messages: [message] });
    },
    message_hidden: (change) => store.dispatch({ type: "messageMarked", change }),
    message_starred: (change) => store.dispatch({ type: "messageMarked", change }),
    draft_saved: ({ thread_id: threadId, draft }) => store.dispatch({ type: "draftSaved", threadId, draft }),
    received_add_new_friend({ current_user: friend, message_thread }) {
      if (isMe(friend.id)) return catchUp.request();
      if (store.get().friends.has(friend.id)) return;
      store.dispatch({ type: "friendAdded", friend, threadId: message_thread.thread_id, isOnTop: false });
      joinFriends([friend.id]);
      catchUp.request();
    },
    friend_removed({ user_id }) {
      store.dispatch({ type: "friendRemoved", friendId: user_id });
      // The two may be friends again already; the list decides.
      catchUp.request();
    },
    friend_changed: ({ user_id, is_muted, has_notice }) =>
      store.dispatch({ type: "friendChanged", friendId: user_id, change: { is_muted, has_notice } }),
    message_read: ({ thread_id, user_id, seq }) =>
      store.dispatch({ type: "markerMoved", kind: "read", threadId: thread_id, userId: user_id, seq }),
    message_delivered: ({ thread_id, user_id, seq }) =>
      store.dispatch({ type: "markerMoved", kind: "delivered", threadId: thread_id, userId: user_id, seq }),
    user_updated({ user }) {
      store.dispatch({ type: "userChanged", user });
      if (isMe(user.id)) onUserChanged(user);
    },
    typing({ thread_id, user_id, is_typing }) {
      if (!isMe(user_id)) typing.receive(thread_id, is_typing);
    },
    presence({ user_id, is_online, last_seen_at }) {
      if (!isMe(user_id)) presence.receive(user_id, is_online, last_seen_at);
    },
    resync: ({ within_ms }) => catchUp.resync(within_ms * Math.random()),
    service_state({ is_degraded: isDegraded, poll_ms }) {
      if (poll_ms !== undefined) catchUp.pollEvery(poll_ms);
      watch.learn({ isDegraded });
      catchUp.reconsider();
    },
    session_ended: onSessionEnded,
  };
}
