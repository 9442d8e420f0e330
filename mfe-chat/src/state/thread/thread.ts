import type { QueuedMessage } from "../../outbox/queuedMessage.ts";
import type { Segment } from "./segments.ts";

/**
 * State of one thread on this page. Sequence numbers (`seq`) count 1, 2, 3, ...; a failure of the server may leave one
 * out.
 */
export interface Thread {
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

export function newThread(threadId: string, friendId: string, outbox: readonly QueuedMessage[]): Thread {
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
