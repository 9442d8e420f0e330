import type { Friend, User } from "@messageoh/contracts/users";
import type { QueuedMessage } from "./queuedMessage.ts";
import type { Segment } from "./segments.ts";

/**
 * State of one thread on this page. Sequence numbers (`seq`) count 1, 2, 3, ...; a failure of the server may leave one
 * out.
 */
export interface ThreadData {
  threadId: string;
  friendId: string;
  /** Stored messages as ascending, non-adjacent ranges of sequence numbers. */
  segments: readonly Segment[];
  /** The shown window is the segment that contains this number; `null` for the newest one. */
  viewSeq: number | null;
  /** Nothing is missing up to this number. Messages above it are held back until the gap is filled. */
  knownSeq: number;
  /** Highest sequence number that this page knows of. */
  lastSeq: number;
  /** Whether gaps of this thread are filled. Other threads need only the newest message and the unread count. */
  isTracked: boolean;
  hasFailed: boolean;
  /** Unread count of the server: received messages above `readSeq`, up to `upTo`. */
  counted: { upTo: number; readSeq: number; unread: number };
  /** Read marker of the user on any page. Never decreases. */
  readSeq: number;
  /** Last `readSeq` that the server has confirmed. */
  serverReadSeq: number;
  friendReadSeq: number;
  friendDeliveredSeq: number;
  /** First unread number at the time when the thread was opened. */
  newFromSeq: number | null;
  /** Own messages that are not known to be stored, in order. */
  outbox: readonly QueuedMessage[];
  /** Time in ms that keeps a just-added friend first until a newer message arrives in any thread. */
  topTime: number | null;
}

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

/** Returns the thread that the URL names, once it is known. */
export function openThreadOf(state: ChatState): ThreadData | undefined {
  const threadId = state.openFriendId === null ? undefined : state.threadIdOf.get(state.openFriendId);
  return threadId === undefined ? undefined : state.threads.get(threadId);
}
