import type { Friend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "./queuedMessage.ts";
import type { Segment } from "./segments.ts";

/** What this page knows of one thread. Numbers (`seq`) count 1, 2, 3, ...; after a failure of the server one may be missing. */
export interface ThreadData {
  threadId: string;
  friendId: string;
  /** Stored messages: ascending ranges of numbers that do not touch. */
  segments: readonly Segment[];
  /** The shown window is the segment that holds this number; null: the newest one. */
  viewSeq: number | null;
  /** Nothing is missing up to here. What lies above it waits until the numbers between have come. */
  knownSeq: number;
  /** The newest number that this page has heard of. */
  lastSeq: number;
  /** Missing numbers of this thread are fetched. Of others only the newest message and the count are needed. */
  isTracked: boolean;
  hasFailed: boolean;
  /** The server's count: received messages above `readSeq`, up to `upTo`. */
  counted: { upTo: number; readSeq: number; unread: number };
  /** Read by the user, in this page or another. Never moves back. */
  readSeq: number;
  /** As far as the server knows of `readSeq`. */
  serverReadSeq: number;
  friendReadSeq: number;
  friendDeliveredSeq: number;
  /** Where the unread ones began when the thread was opened. */
  newFromSeq: number | null;
  /** Own messages that are not known to be stored, in their order. */
  outbox: readonly QueuedMessage[];
  /** Puts a just-added friend on top until a message somewhere is newer, in ms. */
  topTime: number | null;
}

/** `degraded`: reachable over HTTP only, or the server says that it stores late. */
export type Connection = "connected" | "connecting" | "offline" | "degraded";

export interface Jump {
  threadId: string;
  key: string;
  /** Grows, so that the same jump twice works twice. */
  nonce: number;
}

export type LoadStatus = "loading" | "failed" | "ready";

export interface ChatState {
  status: LoadStatus;
  me: User;
  friends: ReadonlyMap<string, Friend>;
  /** By thread id. */
  threads: ReadonlyMap<string, ThreadData>;
  /** Thread id by friend id. */
  threadIdOf: ReadonlyMap<string, string>;
  /** The friend whom the address names. */
  openFriendId: string | null;
  /** Whether the document is on screen and nothing covers it. */
  isVisible: boolean;
  onlineIds: ReadonlySet<string>;
  /** Threads in which the friend is typing. */
  typingIn: ReadonlySet<string>;
  /** Threads with something written and not sent. */
  draftIn: ReadonlySet<string>;
  /** All of the outbox: kept here too, as it may hold messages of threads that are not known yet. */
  outbox: readonly QueuedMessage[];
  connection: Connection;
  connectionReason: string | null;
  jump: Jump | null;
}

export function firstState(me: User, openFriendId: string | null, isVisible: boolean): ChatState {
  return {
    status: "loading",
    me,
    friends: new Map(),
    threads: new Map(),
    threadIdOf: new Map(),
    openFriendId,
    isVisible,
    onlineIds: new Set(),
    typingIn: new Set(),
    draftIn: new Set(),
    outbox: [],
    connection: "connected",
    connectionReason: null,
    jump: null,
  };
}

export function newThread(threadId: string, friendId: string, outbox: readonly QueuedMessage[]): ThreadData {
  return {
    threadId,
    friendId,
    segments: [],
    viewSeq: null,
    knownSeq: 0,
    lastSeq: 0,
    isTracked: false,
    hasFailed: false,
    counted: { upTo: 0, readSeq: 0, unread: 0 },
    readSeq: 0,
    serverReadSeq: 0,
    friendReadSeq: 0,
    friendDeliveredSeq: 0,
    newFromSeq: null,
    outbox,
    topTime: null,
  };
}

/** The thread that the address names, once it is known. */
export function openThreadOf(state: ChatState): ThreadData | undefined {
  const threadId = state.openFriendId === null ? undefined : state.threadIdOf.get(state.openFriendId);
  return threadId === undefined ? undefined : state.threads.get(threadId);
}
