import type { Message, ThreadState } from "@messageoh/contracts/messages";
import type { Friend, ListedFriend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import { type ChatState, type Connection, type LoadStatus, openThreadOf } from "./chatState.ts";
import { withFriend, withListedFriends, withoutFriends } from "./friendChanges.ts";
import {
  aboveAll,
  changeOpen,
  changeThread,
  endTyping,
  withLastSeen,
  withMessages,
  withOutbox,
  withSet,
  withThreads,
} from "./stateChanges.ts";
import { newestOf } from "./thread/segments.ts";
import type { Thread } from "./thread/thread.ts";
import {
  addPage,
  moveFriendMarker,
  moveOwnMarker,
  type PagePlace,
  type PageRequest,
  syncThread,
} from "./thread/threadRules.ts";
import { markRead, markReadWithLine } from "./thread/unread.ts";
import { withView } from "./thread/window.ts";

export type ChatAction =
  | { type: "statusChanged"; status: LoadStatus }
  /** The device stores these. Ignored if the chat has been loaded. */
  | { type: "restored"; friends: readonly ListedFriend[]; threads: readonly Thread[] }
  /** The server responds: discards the threads of the device, which may be out of date. */
  | { type: "deviceLeft" }
  /** `before`: friends that were known when the list was requested. Those that it lacks are no longer friends. */
  | { type: "friendsListed"; friends: readonly ListedFriend[]; before?: ChatState["friends"] }
  /** Newest messages of all threads, as returned by `GET /messages/{userId}`. */
  | { type: "previewsListed"; messages: readonly Message[] }
  /** State of all threads on the server. */
  | { type: "threadsSynced"; threads: readonly ThreadState[] }
  /** Live messages, the ack of an own send, or (with `request`) the response to a request for missing messages. */
  | { type: "messagesReceived"; messages: readonly Message[]; request?: PageRequest }
  | { type: "pageLoaded"; threadId: string; messages: readonly Message[]; place: PagePlace; request: PageRequest }
  | { type: "pageStarted"; threadId: string }
  | { type: "pageFailed"; threadId: string }
  /** The server has no messages above `seq`: the announced ones do not exist. */
  | { type: "gapDenied"; threadId: string; seq: number }
  | { type: "viewMoved"; threadId: string; seq: number | null }
  | { type: "jumped"; threadId: string; key: string }
  | { type: "friendOpened"; friendId: string | null }
  | { type: "visibilityChanged"; isVisible: boolean }
  | { type: "markerMoved"; kind: "read" | "delivered"; threadId: string; userId: string; seq: number }
  /** `isOnTop`: the user has just added the friend, who is listed first. */
  | { type: "friendAdded"; friend: Friend; threadId: string; isOnTop: boolean }
  | { type: "friendRemoved"; friendId: string }
  | { type: "friendFlagged"; friendId: string; flags: Pick<ListedFriend, "is_muted" | "has_notice"> }
  | { type: "userChanged"; user: User }
  | { type: "outboxChanged"; outbox: readonly QueuedMessage[] }
  | { type: "connectionChanged"; connection: Connection; reason: string | null }
  /** `lastSeenAt`: when the users were last online; unknown if the presence itself is. */
  | { type: "presenceChanged"; userIds: readonly string[]; isOnline: boolean; lastSeenAt?: string }
  | { type: "draftsChanged"; threadIds: readonly string[]; isDraft: boolean }
  | { type: "notificationsOffered"; isOffered: boolean }
  | { type: "typingChanged"; threadId: string; isTyping: boolean };

/** Returns the state after an action. Contains every rule of the chat's state, as a pure function. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "statusChanged":
      return { ...state, status: action.status };
    case "restored": {
      if (state.status === "ready") return state;
      const listed = withListedFriends({ ...state, status: "ready", isFromDevice: true }, action.friends);
      const changes = action.threads.map((thread) => ({
        threadId: thread.threadId,
        friendId: thread.friendId,
        change: ({ outbox }: Thread) => ({ ...thread, outbox }),
      }));
      return changeOpen(withThreads(listed, changes), markReadWithLine);
    }
    case "deviceLeft": {
      if (!state.isFromDevice) return state;
      const empty = { isFromDevice: false, receivedSince: [], threads: new Map(), threadIdOf: new Map() };
      return withMessages({ ...state, ...empty }, state.receivedSince);
    }
    case "friendsListed":
      return withListedFriends(state, action.friends, action.before);
    case "previewsListed":
      return withMessages(state, action.messages);
    case "threadsSynced": {
      const next = withThreads(
        state,
        action.threads.map((server) => ({
          threadId: server.thread_id,
          friendId: server.friend_id,
          change: (thread) => syncThread(thread, server),
        })),
      );
      // A thread that was open before it was loaded opens now; one that caught up is marked read without a line.
      return changeOpen(next, (thread) => (thread.isTracked ? markRead(thread) : markReadWithLine(thread)));
    }
    case "messagesReceived": {
      const { isFromDevice, receivedSince } = state;
      const kept = isFromDevice ? { ...state, receivedSince: [...receivedSince, ...action.messages] } : state;
      return changeOpen(endTyping(withMessages(kept, action.messages, action.request), action.messages), (thread) =>
        action.messages.some((message) => message.thread_id === thread.threadId) ? markRead(thread) : thread,
      );
    }
    case "pageLoaded":
      return changeThread(state, action.threadId, (thread) =>
        addPage(thread, action.messages, action.place, action.request),
      );
    case "pageStarted":
      return changeThread(state, action.threadId, withoutFailure);
    case "pageFailed":
      return changeThread(state, action.threadId, (thread) => ({ ...thread, hasFailed: true }));
    case "gapDenied":
      return changeThread(state, action.threadId, (thread) =>
        thread.knownSeq === action.seq
          ? { ...thread, lastSeq: Math.max(action.seq, newestOf(thread.segments)?.seq ?? 0) }
          : thread,
      );
    case "viewMoved":
      return changeThread(state, action.threadId, (thread) => withView(thread, action.seq));
    case "jumped": {
      const { threadId, key } = action;
      return { ...state, jump: { threadId, key, nonce: (state.jump?.nonce ?? 0) + 1 } };
    }
    case "friendOpened": {
      if (action.friendId === state.openFriendId) return state;
      const left = openThreadOf(state);
      const closed = left
        ? changeThread(state, left.threadId, (thread) => withView({ ...thread, newFromSeq: null }, null))
        : state;
      const threadId = closed.threadIdOf.get(action.friendId ?? "") ?? "";
      const opened = changeThread({ ...closed, openFriendId: action.friendId }, threadId, withoutFailure);
      return changeOpen(opened, markReadWithLine);
    }
    case "visibilityChanged":
      return changeOpen({ ...state, isVisible: action.isVisible }, markReadWithLine);
    case "markerMoved":
      return changeThread(state, action.threadId, (thread) => {
        if (action.userId === thread.friendId) return moveFriendMarker(thread, action.kind, action.seq);
        return action.kind === "read" ? moveOwnMarker(thread, action.seq) : thread;
      });
    case "friendAdded": {
      const { friend, threadId, isOnTop } = action;
      const friends = new Map([[friend.id, friend], ...state.friends]);
      const change = (thread: Thread) => (isOnTop ? { ...thread, topTime: aboveAll(state) } : thread);
      return withThreads({ ...state, friends }, [{ threadId, friendId: friend.id, change }]);
    }
    case "friendRemoved":
      return withoutFriends(state, [action.friendId]);
    case "friendFlagged":
      return withFriend(state, action.friendId, action.flags);
    case "userChanged":
      return action.user.id === state.me.id
        ? { ...state, me: action.user }
        : withFriend(state, action.user.id, action.user);
    case "outboxChanged":
      return withOutbox(state, action.outbox);
    case "connectionChanged":
      return action.connection === state.connection && action.reason === state.connectionReason
        ? state
        : { ...state, connection: action.connection, connectionReason: action.reason };
    case "presenceChanged":
      return withLastSeen(
        withSet(state, "onlineIds", action.userIds, action.isOnline),
        action.userIds,
        action.lastSeenAt,
      );
    case "draftsChanged":
      return withSet(state, "draftIn", action.threadIds, action.isDraft);
    case "notificationsOffered":
      return action.isOffered === state.offersNotifications
        ? state
        : { ...state, offersNotifications: action.isOffered };
    case "typingChanged":
      return withSet(state, "typingIn", [action.threadId], action.isTyping);
  }
}

const withoutFailure = (thread: Thread): Thread => (thread.hasFailed ? { ...thread, hasFailed: false } : thread);
