import type { ListedFriend, User } from "@messageoh/contracts/users";
import type { ChosenFile } from "../outbox/chosenFile.ts";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import type { PendingChange } from "../pending/pendingChange.ts";
import type { ChatState, Connection, LoadStatus } from "./chatState.ts";
import { friendChanges } from "./friendChanges.ts";
import { messageChanges } from "./messageChanges.ts";
import { newThread, type Thread } from "./thread/thread.ts";
import { markReadWithLine } from "./thread/unread.ts";
import { changeOpen, withThreads } from "./withThreads.ts";

/** The changes of the state by the type of their action. Each returns the same state if nothing changes. */
const changes = {
  ...messageChanges,
  ...friendChanges,

  statusChanged: (state: ChatState, { status }: { status: LoadStatus }): ChatState => ({ ...state, status }),

  /** The device stores these. Ignored if the chat has been loaded. */
  restored(state: ChatState, stored: { friends: readonly ListedFriend[]; threads: readonly Thread[] }): ChatState {
    if (state.status === "ready") return state;
    const fromDevice: ChatState = { ...state, status: "ready", isFromDevice: true };
    const listed = friendChanges.friendsListed(fromDevice, { friends: stored.friends });
    const threads = stored.threads.map((thread) => ({
      threadId: thread.threadId,
      friendId: thread.friendId,
      change: ({ outbox, pending }: Thread) => ({ ...thread, outbox, pending }),
    }));
    return changeOpen(withThreads(listed, threads), markReadWithLine);
  },

  /**
   * The server responds: discards what the device knows of the threads, which may be out of date. A thread of a former
   * friend goes with the friend.
   */
  deviceLeft(state: ChatState): ChatState {
    if (!state.isFromDevice) return state;
    const { receivedSince, changedSince } = state;
    const threads = new Map([...state.threads].map(([threadId, thread]) => [threadId, emptied(thread)]));
    const none = { receivedSince: [], changedSince: [], threads };
    const left = messageChanges.previewsListed({ ...state, ...none, isFromDevice: false }, { messages: receivedSince });
    return messageChanges.messagesChanged(left, { messages: changedSince });
  },

  userChanged: (state: ChatState, { user }: { user: User }): ChatState =>
    user.id === state.me.id
      ? { ...state, me: user }
      : friendChanges.friendChanged(state, { friendId: user.id, change: user }),

  visibilityChanged: (state: ChatState, { isVisible }: { isVisible: boolean }): ChatState =>
    changeOpen({ ...state, isVisible }, markReadWithLine),

  connectionChanged(state: ChatState, { connection, reason }: { connection: Connection; reason: string | null }) {
    const isSame = connection === state.connection && reason === state.connectionReason;
    return isSame ? state : { ...state, connection, connectionReason: reason };
  },

  outboxChanged(state: ChatState, { outbox }: { outbox: readonly QueuedMessage[] }): ChatState {
    const uploads = new Map([...state.uploads].filter(([id]) => outbox.some(({ client_id }) => client_id === id)));
    return { ...state, outbox, uploads, threads: withEntries(state.threads, "outbox", outbox) };
  },

  uploadProgressed: (state: ChatState, { clientId, share }: { clientId: string; share: number }): ChatState =>
    percent(share) === percent(state.uploads.get(clientId))
      ? state
      : { ...state, uploads: new Map(state.uploads).set(clientId, share) },

  filesChosen: (
    state: ChatState,
    { threadId, files }: { threadId: string; files: readonly ChosenFile[] },
  ): ChatState => ({ ...state, chosen: new Map(state.chosen).set(threadId, files) }),

  recordingChanged: (state: ChatState, { threadId }: { threadId: string | null }): ChatState =>
    threadId === state.recordingIn ? state : { ...state, recordingIn: threadId },

  pendingChanged(state: ChatState, { pending }: { pending: readonly PendingChange[] }): ChatState {
    return { ...state, pending, threads: withEntries(state.threads, "pending", pending) };
  },

  notificationsOffered: (state: ChatState, { isOffered }: { isOffered: boolean }): ChatState =>
    isOffered === state.offersNotifications ? state : { ...state, offersNotifications: isOffered },
};

/** Returns an empty thread that keeps the read marker, the line of new messages, the composer and unsent messages. */
function emptied({ threadId, friendId, outbox, pending, ...thread }: Thread): Thread {
  const { readSeq, newFromSeq, newCount, composing, draftNonce } = thread;
  return { ...newThread(threadId, friendId, outbox, pending), readSeq, newFromSeq, newCount, composing, draftNonce };
}

const percent = (share: number | undefined) => Math.floor((share ?? -1) * 100);

/** Gives each thread its entries of the outbox or of the pending changes. */
function withEntries<Name extends "outbox" | "pending">(
  before: ChatState["threads"],
  name: Name,
  entries: ChatState[Name],
): ChatState["threads"] {
  const threads = new Map(before);
  for (const [threadId, thread] of threads) {
    const ofThread = entries.filter((entry) => entry.thread_id === threadId);
    const known = thread[name];
    const isSame = ofThread.length === known.length && ofThread.every((entry, index) => entry === known[index]);
    if (!isSame) threads.set(threadId, { ...thread, [name]: ofThread });
  }
  return threads;
}

type Changes = typeof changes;

/** A change of the state, named by `type`. */
export type ChatAction = {
  [Type in keyof Changes]: { type: Type } & (Parameters<Changes[Type]>[1] extends undefined
    ? unknown
    : Parameters<Changes[Type]>[1]);
}[keyof Changes];

/** Returns the state after an action. Contains every rule of the chat's state, as a pure function. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  return (changes[action.type] as (state: ChatState, action: ChatAction) => ChatState)(state, action);
}
