import type { Message } from "@messageoh/contracts/messages";
import type { ListedFriend, User } from "@messageoh/contracts/users";
import type { ChosenFile } from "../outbox/chosenFile.ts";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import type { PendingChange } from "../pending/pendingChange.ts";
import type { MarkChange } from "./thread/privateMarks.ts";
import type { Thread } from "./thread/thread.ts";

/**
 * `offline`: the browser has no network. `unreachable`: it has one, but the server does not respond. `degraded`: only
 * HTTP works, or the server reports that it stores late.
 */
export type Connection = "connected" | "connecting" | "offline" | "unreachable" | "degraded";

export interface Jump {
  threadId: string;
  key: string;
  /** Increases, so that a repeated jump takes effect. */
  nonce: number;
}

export interface Notice {
  text: string;
  /** Takes back what the user has done. */
  onUndo?: () => void;
}

export type LoadStatus = "loading" | "failed" | "ready";

/** What the page knows and shows. Views select parts of it. */
export type ChatState = Readonly<ReturnType<typeof firstState>>;

export const firstState = (me: User, openFriendId: string | null, isVisible: boolean) => ({
  status: "loading" as LoadStatus,
  /** Friends and threads are those that the device stores; the server has not responded yet. */
  isFromDevice: false,
  /** What the server has sent since then: it may be newer than the lists that replace the stored data. */
  receivedSince: [] as readonly Message[],
  changedSince: [] as readonly Message[],
  /**
   * What the user has hidden or starred since the page was opened: a list of threads that is under way may be older.
   */
  markLog: [] as readonly MarkChange[],
  me,
  /** By user id, with what the user has set for them. */
  friends: new Map() as ReadonlyMap<string, ListedFriend>,
  /** By thread id. */
  threads: new Map() as ReadonlyMap<string, Thread>,
  /** Thread id by friend id. */
  threadIdOf: new Map() as ReadonlyMap<string, string>,
  /** Id of the friend in the URL. */
  openFriendId,
  /** Increases when the open thread is opened again. */
  openNonce: 0,
  /** Whether the document is visible and nothing covers it. */
  isVisible,
  onlineIds: new Set() as ReadonlySet<string>,
  /** When offline friends were last online (ISO), by friend id, as far as it is known. */
  lastSeenAt: new Map() as ReadonlyMap<string, string>,
  /** The screen offers to turn notifications on. */
  offersNotifications: false,
  /** Threads in which the friend is typing. */
  typingIn: new Set() as ReadonlySet<string>,
  /** Threads with an unsent draft. */
  draftIn: new Set() as ReadonlySet<string>,
  /** The complete outbox, which may contain messages of threads that are not loaded yet. */
  outbox: [] as readonly QueuedMessage[],
  /** Files that the user has chosen for the next message, by thread id. */
  chosen: new Map() as ReadonlyMap<string, readonly ChosenFile[]>,
  /** Thread in which the user records a voice message. */
  recordingIn: null as string | null,
  /** Share of the files of unsent messages that has arrived, from 0 to 1, by client id. */
  uploads: new Map() as ReadonlyMap<string, number>,
  /** All changes of messages that the server has not confirmed. */
  pending: [] as readonly PendingChange[],
  connection: "connected" as Connection,
  /** Reason of the server for the state of the connection, if any. */
  connectionReason: null as string | null,
  /** Message to scroll to and highlight. */
  jump: null as Jump | null,
  /**
   * Newest result of an action that each thread shows for a moment, by thread id. It waits until the thread is opened,
   * and lasts until it is left. A new object is shown again, with the same text too.
   */
  notices: new Map() as ReadonlyMap<string, Notice>,
});

/** Returns the thread that the URL names, once it is known. */
export const openThreadOf = ({ openFriendId, threadIdOf, threads }: ChatState): Thread | undefined =>
  threads.get(threadIdOf.get(openFriendId ?? "") ?? "");
