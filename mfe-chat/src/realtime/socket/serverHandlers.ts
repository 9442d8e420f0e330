import type { User } from "@messageoh/contracts/users";
import type { Store } from "../../state/store.ts";
import type { ServerHandlers } from "./socket.ts";

export interface ServerHandlersOptions {
  store: Store;
  onFriend: (friendId: string) => void;
  /** Called when another tab changed the user's own profile. */
  onOwnChange: (user: User) => void;
  onTyping: (threadId: string, isTyping: boolean) => void;
  onPresence: (userId: string, isOnline: boolean, lastSeenAt?: string) => void;
  /** Called with whether the server stores or delivers late, and the interval of polls meanwhile, in milliseconds. */
  onServiceState: (isDegraded: boolean, pollMs?: number) => void;
  onResync: (withinMs: number) => void;
  /** Called on an event about an unknown friend or thread. */
  onUnknown: () => void;
  onSessionEnded: () => void;
}

/** Returns the handler of each server event. */
export function createServerHandlers(options: ServerHandlersOptions): ServerHandlers {
  const { store, onFriend, onOwnChange, onTyping, onPresence, onServiceState, onResync, onUnknown } = options;
  const isMe = (userId: string) => userId === store.get().me.id;

  return {
    receive_message(message) {
      if (!isMe(message.sending_user_id) && !isMe(message.recipient_user_id)) return;
      store.dispatch({ type: "messagesReceived", messages: [message] });
      const thread = store.get().threads.get(message.thread_id);
      if (!thread || !store.get().friends.has(thread.friendId)) onUnknown();
    },
    received_add_new_friend({ current_user: friend, message_thread }) {
      if (isMe(friend.id)) return onUnknown();
      if (store.get().friends.has(friend.id)) return;
      store.dispatch({ type: "friendAdded", friend, threadId: message_thread.thread_id, isOnTop: false });
      onFriend(friend.id);
    },
    friend_removed({ user_id }) {
      store.dispatch({ type: "friendRemoved", friendId: user_id });
      // The two may be friends again already; the list decides.
      onUnknown();
    },
    friend_changed: ({ user_id, is_muted, has_notice }) =>
      store.dispatch({ type: "friendFlagged", friendId: user_id, isMuted: is_muted, hasNotice: has_notice }),
    message_read: ({ thread_id, user_id, seq }) =>
      store.dispatch({ type: "markerMoved", kind: "read", threadId: thread_id, userId: user_id, seq }),
    message_delivered: ({ thread_id, user_id, seq }) =>
      store.dispatch({ type: "markerMoved", kind: "delivered", threadId: thread_id, userId: user_id, seq }),
    user_updated({ user }) {
      store.dispatch({ type: "userChanged", user });
      if (isMe(user.id)) onOwnChange(user);
    },
    typing({ thread_id, user_id, is_typing }) {
      if (!isMe(user_id)) onTyping(thread_id, is_typing);
    },
    presence({ user_id, is_online, last_seen_at }) {
      if (!isMe(user_id)) onPresence(user_id, is_online, last_seen_at);
    },
    resync: ({ within_ms }) => onResync(within_ms),
    // The socket itself reconnects on this event.
    server_draining: () => undefined,
    service_state: ({ is_degraded, poll_ms }) => onServiceState(is_degraded, poll_ms),
    session_ended: () => options.onSessionEnded(),
  };
}
