import type { Draft, Message } from "@messageoh/contracts/messages";
import type { QueuedMessage } from "../../outbox/queuedMessage.ts";
import type { PendingChange } from "../../pending/pendingChange.ts";
import type { Segment } from "./segments.ts";
import type { ShownAttachment } from "./shownAttachment.ts";

/**
 * State of one thread on this page. Sequence numbers (`seq`) count 1, 2, 3, ...; a failure of the server may leave one
 * out.
 */
export type Thread = Readonly<ReturnType<typeof newThread>>;

/** What the composer of a thread is for, apart from a new message. */
export type Composing =
  | { kind: "reply"; seq: number }
  /**
   * `seq` is null for a message that is not sent yet; `base` is the number of edits that the user has seen. Only a
   * message with attachments may become empty.
   */
  | {
      kind: "edit";
      key: string;
      seq: number | null;
      text: string;
      base: number;
      attachments?: readonly ShownAttachment[];
    };

const NONE: ReadonlySet<number> = new Set();

export const newThread = (
  threadId: string,
  friendId: string,
  outbox: readonly QueuedMessage[],
  pending: readonly PendingChange[] = [],
) => ({
  threadId,
  friendId,
  /** Stored messages as ascending, non-adjacent ranges of sequence numbers. */
  segments: [] as readonly Segment[],
  /** The shown window is the segment that contains this number; `null` for the newest one. */
  viewSeq: null as number | null,
  /** Nothing is missing up to this number. Messages above it are held back until the gap is filled. */
  knownSeq: 0,
  /** Highest sequence number that this page knows of. */
  lastSeq: 0,
  /** All changes of messages up to this number are applied; `null` before the server has listed the thread. */
  knownChange: null as number | null,
  /** Highest number of a change that this page knows of. */
  lastChange: 0,
  /** What the device stored before this change may be outdated: the page has not seen all changes before it. */
  sinceChange: 0,
  /** Newest states of messages that are not loaded. A page that is under way, or a message, may be older. */
  early: [] as readonly Message[],
  /** Whether gaps of this thread are filled. Other threads need only the newest message and the unread count. */
  isTracked: false,
  /** A page could not be loaded; the list shows Retry. */
  hasFailed: false,
  /** Unread count of the server: received messages above `readSeq`, up to `upTo`. */
  counted: { upTo: 0, readSeq: 0, unread: 0 },
  /** Read marker of the user on any page. Never decreases. */
  readSeq: 0,
  /** Last `readSeq` that the server has confirmed. */
  serverReadSeq: 0,
  friendReadSeq: 0,
  friendDeliveredSeq: 0,
  /** First unread number at the time when the thread was opened. */
  newFromSeq: null as number | null,
  /** Number of unread messages at that time. */
  newCount: 0,
  /** Own messages that are not known to be stored, in order. */
  outbox,
  /** The user's changes of messages that the server has not confirmed, in order. */
  pending,
  /** Numbers of the messages that the user has hidden, by the server. See privateMarks.ts. */
  hidden: NONE,
  /** Numbers of the messages that the user has starred, by the server. */
  starred: NONE,
  /** The pinned messages were loaded. Since then, their changes keep them up to date. */
  arePinsLoaded: false,
  /** What the user last chose for the composer. See composing.ts. */
  composing: null as Composing | null,
  /** What the user last saved on any device. */
  draft: null as Draft | null,
  /** Increases when the draft changes outside of the composer. */
  draftNonce: 0,
  /** Time in ms that keeps a just-added friend first until a newer message arrives in any thread. */
  topTime: null as number | null,
});
