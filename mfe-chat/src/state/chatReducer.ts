import type { Message, ThreadState } from "@messageoh/contracts/messages";
import type { Friend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "../outbox/queue.ts";
import { type ChatState, newThread, openThreadOf, type ThreadData } from "./chatState.ts";
import { friendIdIn } from "./friendIdIn.ts";
import type { Connection, LoadStatus } from "./model.ts";
import { orderTime } from "./order.ts";
import { newestOf } from "./segments.ts";
import {
  addMessages,
  addPage,
  isTailReady,
  markRead,
  markReadWithLine,
  moveFriendMarker,
  moveOwnMarker,
  type PagePlace,
  syncThread,
  withView,
} from "./threadRules.ts";

export type ChatAction =
  | { type: "statusChanged"; status: LoadStatus }
  | { type: "friendsListed"; friends: readonly Friend[] }
  /** The newest messages of all threads, as `GET /messages/{userId}` answers them. */
  | { type: "previewsListed"; messages: readonly Message[] }
  /** How the server sees all threads. */
  | { type: "threadsSynced"; threads: readonly ThreadState[] }
  /** Came live, as the answer to an own send, or as missing ones that were asked for. */
  | { type: "messagesReceived"; messages: readonly Message[] }
  | { type: "pageLoaded"; threadId: string; messages: readonly Message[]; place: PagePlace }
  | { type: "pageStarted"; threadId: string }
  | { type: "pageFailed"; threadId: string }
  /** The server has nothing above what is known: what was heard of does not exist. */
  | { type: "gapDenied"; threadId: string; seq: number }
  | { type: "viewMoved"; threadId: string; seq: number | null }
  | { type: "jumped"; threadId: string; key: string }
  | { type: "friendOpened"; friendId: string | null }
  | { type: "visibilityChanged"; isVisible: boolean }
  | { type: "markerMoved"; kind: "read" | "delivered"; threadId: string; userId: string; seq: number }
  /** `isOnTop`: the user added them just now, so they stand above all others. */
  | { type: "friendAdded"; friend: Friend; threadId: string; isOnTop: boolean }
  | { type: "userChanged"; user: User }
  | { type: "outboxChanged"; outbox: readonly QueuedMessage[] }
  | { type: "connectionChanged"; connection: Connection }
  | { type: "presenceChanged"; userIds: readonly string[]; isOnline: boolean }
  | { type: "typingChanged"; threadId: string; isTyping: boolean };

/** Every rule of what the chat knows, as one pure function. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "statusChanged":
      return { ...state, status: action.status };
    case "friendsListed": {
      // Nobody is ever unfriended, so one whom an older answer lacks was added meanwhile.
      const listed = new Map(action.friends.map((friend) => [friend.id, friend]));
      for (const [id, friend] of state.friends) if (!listed.has(id)) listed.set(id, friend);
      return { ...state, friends: listed };
    }
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
      // One that was open before it was known is opened now; one that caught up is read without a line.
      return changeOpen(next, (thread) => (thread.isTracked ? markRead(thread) : markReadWithLine(thread)));
    }
    case "messagesReceived":
      return changeOpen(endTyping(withMessages(state, action.messages), action.messages), (thread) =>
        action.messages.some((message) => message.thread_id === thread.threadId) ? markRead(thread) : thread,
      );
    case "pageLoaded":
      return changeThread(state, action.threadId, (thread) => addPage(thread, action.messages, action.place));
    case "pageStarted":
      return changeThread(state, action.threadId, (thread) =>
        thread.hasFailed ? { ...thread, hasFailed: false } : thread,
      );
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
      return changeOpen({ ...closed, openFriendId: action.friendId }, markReadWithLine);
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
      const change = (thread: ThreadData) => (isOnTop ? { ...thread, topTime: aboveAll(state) } : thread);
      return withThreads({ ...state, friends }, [{ threadId, friendId: friend.id, change }]);
    }
    case "userChanged": {
      const { user } = action;
      if (user.id === state.me.id) return { ...state, me: user };
      return state.friends.has(user.id) ? { ...state, friends: new Map(state.friends).set(user.id, user) } : state;
    }
    case "outboxChanged":
      return withOutbox(state, action.outbox);
    case "connectionChanged":
      return action.connection === state.connection ? state : { ...state, connection: action.connection };
    case "presenceChanged":
      return withSet(state, "onlineIds", action.userIds, action.isOnline);
    case "typingChanged":
      return withSet(state, "typingIn", [action.threadId], action.isTyping);
  }
}

function changeThread(state: ChatState, threadId: string, change: (thread: ThreadData) => ThreadData): ChatState {
  const thread = state.threads.get(threadId);
  if (!thread) return state;
  const changed = change(thread);
  return changed === thread ? state : { ...state, threads: new Map(state.threads).set(threadId, changed) };
}

interface ThreadChange {
  threadId: string;
  friendId: string;
  change: (thread: ThreadData) => ThreadData;
}

/** Changes threads, which begin here if they were not known. */
function withThreads(state: ChatState, changes: readonly ThreadChange[]): ChatState {
  const threads = new Map(state.threads);
  const threadIdOf = new Map(state.threadIdOf);
  let isChanged = false;
  for (const { threadId, friendId, change } of changes) {
    const known = threads.get(threadId);
    const changed = change(known ?? newThread(threadId, friendId, outboxOf(state.outbox, threadId)));
    if (changed === known) continue;
    isChanged = true;
    threads.set(threadId, changed);
    if (!known) threadIdOf.set(friendId, threadId);
  }
  return isChanged ? { ...state, threads, threadIdOf } : state;
}

function withMessages(state: ChatState, messages: readonly Message[]): ChatState {
  const changes: ThreadChange[] = [];
  for (const [threadId, ofThread] of Map.groupBy(messages, (message) => message.thread_id)) {
    const friendId = ofThread[0] && friendIdIn(ofThread[0], state.me.id);
    if (friendId) changes.push({ threadId, friendId, change: (thread) => addMessages(thread, ofThread) });
  }
  return withThreads(state, changes);
}

/** Changes the open thread if somebody can see it. One that can be shown as it is needs no first page. */
function changeOpen(state: ChatState, change: (thread: ThreadData) => ThreadData): ChatState {
  const open = openThreadOf(state);
  if (!open) return state;
  return changeThread(state, open.threadId, (thread) => {
    const seen = state.isVisible ? change(thread) : thread;
    const isShown = !seen.isTracked && isTailReady(seen);
    return isShown ? { ...seen, isTracked: true } : seen;
  });
}

function endTyping(state: ChatState, messages: readonly Message[]): ChatState {
  const ended = messages
    .filter((message) => message.sending_user_id !== state.me.id && state.typingIn.has(message.thread_id))
    .map((message) => message.thread_id);
  return withSet(state, "typingIn", ended, false);
}

function withOutbox(state: ChatState, outbox: readonly QueuedMessage[]): ChatState {
  const threads = new Map(state.threads);
  for (const [threadId, thread] of threads) {
    const ofThread = outboxOf(outbox, threadId);
    const isSame =
      ofThread.length === thread.outbox.length && ofThread.every((entry, index) => entry === thread.outbox[index]);
    if (!isSame) threads.set(threadId, { ...thread, outbox: ofThread });
  }
  return { ...state, outbox, threads };
}

const outboxOf = (outbox: readonly QueuedMessage[], threadId: string) =>
  outbox.filter((entry) => entry.thread_id === threadId);

/** Times of the messages themselves, not of this clock: so that any later message of another friend stands above. */
const aboveAll = (state: ChatState) =>
  [...state.threads.values()].reduce((latest, thread) => Math.max(latest, orderTime(thread) + 1), 0);

function withSet(
  state: ChatState,
  name: "onlineIds" | "typingIn",
  members: readonly string[],
  isIn: boolean,
): ChatState {
  const set = state[name];
  if (members.every((member) => set.has(member) === isIn)) return state;
  const others = [...set].filter((member) => !members.includes(member));
  return { ...state, [name]: new Set(isIn ? [...others, ...members] : others) };
}
