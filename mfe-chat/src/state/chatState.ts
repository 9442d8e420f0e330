import type { Message } from "@messageoh/contracts/messages";
import type { ListedFriend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import type { Thread } from "./thread/thread.ts";

/**
 * `offline`: the browser has no network. `unreachable`: it has one, but the server does not respond. `degraded`: only HTTP
 * works, or the server reports that it stores late.
 */
export type Connection = "connected" | "connecting" | "offline" | "unreachable" | "degraded";

export interface Jump {
  threadId: string;
  key: string;
  /** Increases, so that a repeated jump takes effect. */
  nonce: number;
}

export type LoadStatus = "loading" | "failed" | "ready";

export interface ChatState {
  status: LoadStatus;
  /** Friends and threads are those that the device stores; the server has not responded yet. */
  isFromDevice: boolean;
  /** What the server has sent since then: it may be newer than the lists that replace the stored data. */
  receivedSince: readonly Message[];
  me: User;
  /** By user id, with what the user has set for them. */
  friends: ReadonlyMap<string, ListedFriend>;
  /** By thread id. */
  threads: ReadonlyMap<string, Thread>;
  /** Thread id by friend id. */
  threadIdOf: ReadonlyMap<string, string>;
  /** Id of the friend in the URL. */
  openFriendId: string | null;
  /** Whether the document is visible and nothing covers it. */
  isVisible: boolean;
  onlineIds: ReadonlySet<string>;
  /** When offline friends were last online (ISO), by friend id, as far as it is known. */
  lastSeenAt: ReadonlyMap<string, string>;
  /** The screen offers to turn notifications on. */
  offersNotifications: boolean;
  /** Threads in which the friend is typing. */
  typingIn: ReadonlySet<string>;
  /** Threads with an unsent draft. */
  draftIn: ReadonlySet<string>;
  /** The complete outbox, which may contain messages of threads that are not loaded yet. */
  outbox: readonly QueuedMessage[];
  connection: Connection;
  connectionReason: string | null;
  jump: Jump | null;
}

export function firstState(me: User, openFriendId: string | null, isVisible: boolean): ChatState {
  return {
    status: "loading",
    isFromDevice: false,
    receivedSince: [],
    me,
    friends: new Map(),
    threads: new Map(),
    threadIdOf: new Map(),
    openFriendId,
    isVisible,
    onlineIds: new Set(),
    lastSeenAt: new Map(),
    offersNotifications: false,
    typingIn: new Set(),
    draftIn: new Set(),
    outbox: [],
    connection: "connected",
    connectionReason: null,
    jump: null,
  };
}

/** Returns the thread that the URL names, once it is known. */
export function openThreadOf(state: ChatState): Thread | undefined {
  const threadId = state.openFriendId === null ? undefined : state.threadIdOf.get(state.openFriendId);
  return threadId === undefined ? undefined : state.threads.get(threadId);
}
