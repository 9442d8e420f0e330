import type { Message } from "@messageoh/contracts/messages";
import type { Friend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import type { ThreadData } from "./thread/thread.ts";

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
  friends: ReadonlyMap<string, Friend>;
  /** By thread id. */
  threads: ReadonlyMap<string, ThreadData>;
  /** Thread id by friend id. */
  threadIdOf: ReadonlyMap<string, string>;
  /** Id of the friend in the URL. */
  openFriendId: string | null;
  /** Whether the document is visible and nothing covers it. */
  isVisible: boolean;
  onlineIds: ReadonlySet<string>;
  /** When offline friends were last online (ISO), by friend id, as far as it is known. */
  lastSeenAt: ReadonlyMap<string, string>;
  /** Friends whose threads the user has muted. */
  mutedIds: ReadonlySet<string>;
  /** Friends who have added the user, who has not answered yet. */
  noticeIds: ReadonlySet<string>;
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
    mutedIds: new Set(),
    noticeIds: new Set(),
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
export function openThreadOf(state: ChatState): ThreadData | undefined {
  const threadId = state.openFriendId === null ? undefined : state.threadIdOf.get(state.openFriendId);
  return threadId === undefined ? undefined : state.threads.get(threadId);
}
