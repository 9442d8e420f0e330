import { isHidden } from "./privateMarks.ts";
import { messageAt } from "./segments.ts";
import { messageKey, newestShown, pendingState, type ThreadMessage } from "./shownMessages.ts";
import type { Thread } from "./thread.ts";

/** A message that may have been stored since its `seq` was null. */
type SomeMessage = Pick<ThreadMessage, "key" | "seq">;

/**
 * Returns whether a message is neither deleted nor hidden, as far as this page knows, and not cancelled before it was
 * sent.
 */
export function isThere(thread: Thread, message: SomeMessage): boolean {
  const seq = seqOf(thread, message);
  return seq === null
    ? thread.outbox.some(({ client_id }) => client_id === message.key)
    : !isHidden(thread, seq) && !isDeleted(thread, seq);
}

/** Returns the number of a message; `null` while it is not stored. */
export function seqOf(thread: Thread, { key, seq }: SomeMessage): number | null {
  return seq ?? newestShown(thread, (message) => messageKey(message, thread.friendId) === key)?.seq ?? null;
}

function isDeleted(thread: Thread, seq: number): boolean {
  const message = messageAt(thread.segments, seq);
  return message !== undefined && pendingState(message, thread).deleted_at !== undefined;
}
