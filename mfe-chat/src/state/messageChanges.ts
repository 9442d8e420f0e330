import type { Draft, Message, ThreadState } from "@messageoh/contracts/messages";
import { type ChatState, type Notice, openThreadOf } from "./chatState.ts";
import { applyChanges } from "./thread/changeRules.ts";
import { applyMarks, type MarkChange } from "./thread/privateMarks.ts";
import { newestOf } from "./thread/segments.ts";
import type { Composing, Thread } from "./thread/thread.ts";
import {
  addMessages,
  addPage,
  moveFriendMarker,
  moveOwnMarker,
  newestDraft,
  type PagePlace,
  type PageRequest,
  restart,
  syncThread,
} from "./thread/threadRules.ts";
import { markRead, markReadWithLine } from "./thread/unread.ts";
import { withView } from "./thread/window.ts";
import { changeOpen, changeThread, type ThreadChange, withSet, withThreads } from "./withThreads.ts";

interface OfThread {
  threadId: string;
}

interface Received {
  messages: readonly Message[];
  request?: PageRequest;
}

interface LoadedPage extends OfThread {
  messages: readonly Message[];
  place: PagePlace;
  request: PageRequest;
}

/** Changes of threads and their messages. */
export const messageChanges = {
  /** Newest messages of all threads, as returned by `GET /messages/{userId}`. */
  previewsListed: (state: ChatState, { messages }: Received): ChatState => withMessages(state, messages),

  /**
   * State of all threads on the server. `marksFrom` is the length of the `markLog` at the time of the request: the
   * response may not contain what follows in it.
   */
  threadsSynced(
    state: ChatState,
    { threads, marksFrom = state.markLog.length }: { threads: readonly ThreadState[]; marksFrom?: number },
  ): ChatState {
    const later = Map.groupBy(state.markLog.slice(marksFrom), ({ thread_id }) => thread_id);
    const synced = threads.map((server) => ({
      threadId: server.thread_id,
      friendId: server.friend_id,
      change: (thread: Thread) => syncThread(thread, server, later.get(server.thread_id)),
    }));
    // A thread that was open before it was loaded opens now; one that caught up is marked read without a line.
    return changeOpen(withThreads(state, synced), (thread) =>
      thread.isTracked ? markRead(thread) : markReadWithLine(thread),
    );
  },

  /** Live messages, the ack of an own send, or (with `request`) the response to a request for missing messages. */
  messagesReceived(state: ChatState, { messages, request }: Received): ChatState {
    const { isFromDevice, receivedSince, me, typingIn } = state;
    const kept = isFromDevice ? { ...state, receivedSince: [...receivedSince, ...messages] } : state;
    const ended = messages
      .filter((message) => message.sending_user_id !== me.id && typingIn.has(message.thread_id))
      .map((message) => message.thread_id);
    const received = withSet(withMessages(kept, messages, request), "typingIn", ended, false);
    return changeOpen(received, (thread) =>
      messages.some((message) => message.thread_id === thread.threadId) ? markRead(thread) : thread,
    );
  },

  /** Live changes of messages. They move no order, no marker and no unread count. */
  messagesChanged(state: ChatState, { messages }: { messages: readonly Message[] }): ChatState {
    const { isFromDevice, changedSince } = state;
    const kept = isFromDevice ? { ...state, changedSince: [...changedSince, ...messages] } : state;
    return withGroups(kept, messages, applyChanges);
  },

  /** The user has hidden or starred a message on any device, or has taken that back. */
  messageMarked: (state: ChatState, { change }: { change: MarkChange }): ChatState =>
    changeThread({ ...state, markLog: [...state.markLog, change] }, change.thread_id, (thread) =>
      applyMarks(thread, [change]),
    ),

  /** All changes of a thread up to a number, in response to a request for missing ones. */
  changesLoaded: (
    state: ChatState,
    { threadId, messages, upTo }: OfThread & { messages: readonly Message[]; upTo: number },
  ): ChatState => changeThread(state, threadId, (thread) => applyChanges(thread, messages, upTo)),

  /** The newest page of a thread that missed too much. All changes up to `change` are in it. */
  threadRestarted: (
    state: ChatState,
    { threadId, messages, request, change }: Omit<LoadedPage, "place"> & { change: number },
  ): ChatState => changeThread(state, threadId, (thread) => restart(thread, messages, request, change)),

  pageLoaded: (state: ChatState, { threadId, messages, place, request }: LoadedPage): ChatState =>
    changeThread(state, threadId, (thread) => addPage(thread, messages, place, request)),
  /** One message that another one quotes. It moves no window and no marker. */
  quotedLoaded: (state: ChatState, { threadId, messages, request }: Omit<LoadedPage, "place">): ChatState =>
    changeThread(state, threadId, (thread) => addMessages(thread, messages, request)),
  /** All pinned messages of a thread. They move no window and no marker. */
  pinnedLoaded: (state: ChatState, { threadId, messages }: OfThread & { messages: readonly Message[] }): ChatState =>
    changeThread(state, threadId, (thread) => ({ ...addMessages(thread, messages), arePinsLoaded: true })),
  pageStarted: (state: ChatState, { threadId }: OfThread): ChatState => changeThread(state, threadId, withoutFailure),
  pageFailed: (state: ChatState, { threadId }: OfThread): ChatState =>
    changeThread(state, threadId, (thread) => ({ ...thread, hasFailed: true })),

  /** The server has no messages above `seq`: the announced ones do not exist. */
  gapDenied: (state: ChatState, { threadId, seq }: OfThread & { seq: number }): ChatState =>
    changeThread(state, threadId, (thread) =>
      thread.knownSeq === seq ? { ...thread, lastSeq: Math.max(seq, newestOf(thread.segments)?.seq ?? 0) } : thread,
    ),

  viewMoved: (state: ChatState, { threadId, seq }: OfThread & { seq: number | null }): ChatState =>
    changeThread(state, threadId, (thread) => withView(thread, seq)),

  jumped: (state: ChatState, { threadId, key }: OfThread & { key: string }): ChatState => ({
    ...state,
    jump: { threadId, key, nonce: (state.jump?.nonce ?? 0) + 1 },
  }),

  friendOpened(state: ChatState, { friendId }: { friendId: string | null }): ChatState {
    if (friendId === state.openFriendId) return { ...state, openNonce: state.openNonce + 1 };
    const left = openThreadOf(state)?.threadId ?? "";
    const closed = changeThread(state, left, (thread) => withView({ ...thread, newFromSeq: null, newCount: 0 }, null));
    const threadId = closed.threadIdOf.get(friendId ?? "") ?? "";
    const notices = new Map([...state.notices].filter(([ofThread]) => ofThread !== left));
    const opened = changeThread({ ...closed, openFriendId: friendId, notices }, threadId, withoutFailure);
    return changeOpen(opened, markReadWithLine);
  },

  markerMoved: (
    state: ChatState,
    { kind, threadId, userId, seq }: OfThread & { kind: "read" | "delivered"; userId: string; seq: number },
  ): ChatState =>
    changeThread(state, threadId, (thread) => {
      if (userId === thread.friendId) return moveFriendMarker(thread, kind, seq);
      return kind === "read" ? moveOwnMarker(thread, seq) : thread;
    }),

  noticeShown: (state: ChatState, { threadId, text, onUndo }: OfThread & Notice): ChatState => ({
    ...state,
    notices: new Map(state.notices).set(threadId, { text, onUndo }),
  }),

  composingChanged: (
    state: ChatState,
    { threadId, composing }: OfThread & { composing: Composing | null },
  ): ChatState => changeThread(state, threadId, (thread) => ({ ...thread, composing })),

  /** The user has saved a draft on any device. */
  draftSaved: (state: ChatState, { threadId, draft }: OfThread & { draft: Draft }): ChatState =>
    changeThread(state, threadId, (thread) => {
      const newest = newestDraft(thread.draft, draft);
      return newest === thread.draft ? thread : { ...thread, draft: newest };
    }),

  /** The draft was changed outside of the composer. */
  draftReplaced: (state: ChatState, { threadId }: OfThread): ChatState =>
    changeThread(state, threadId, (thread) => ({ ...thread, draftNonce: thread.draftNonce + 1 })),

  draftsChanged: (
    state: ChatState,
    { threadIds, isDraft }: { threadIds: readonly string[]; isDraft: boolean },
  ): ChatState => withSet(state, "draftIn", threadIds, isDraft),
  typingChanged: (state: ChatState, { threadId, isTyping }: OfThread & { isTyping: boolean }): ChatState =>
    withSet(state, "typingIn", [threadId], isTyping),
};

const withoutFailure = (thread: Thread): Thread => (thread.hasFailed ? { ...thread, hasFailed: false } : thread);

/** Adds messages of any threads, or of one thread if they respond to a request. */
const withMessages = (state: ChatState, messages: readonly Message[], request?: PageRequest): ChatState =>
  withGroups(state, messages, (thread, ofThread) => addMessages(thread, ofThread, request));

/** Changes each thread that has some of the messages. */
function withGroups(
  state: ChatState,
  messages: readonly Message[],
  change: (thread: Thread, ofThread: readonly Message[]) => Thread,
): ChatState {
  const changes: ThreadChange[] = [];
  for (const [threadId, ofThread] of Map.groupBy(messages, (message) => message.thread_id)) {
    const friendId = friendIn(ofThread[0], state.me.id);
    if (friendId) changes.push({ threadId, friendId, change: (thread) => change(thread, ofThread) });
  }
  return withThreads(state, changes);
}

/** Returns the other participant: the sender or, for the user's own message, the recipient. */
const friendIn = (message: Message | undefined, userId: string): string | undefined =>
  message?.sending_user_id === userId ? message.recipient_user_id : message?.sending_user_id;
