import { isHidden } from "./privateMarks.ts";
import { messageAt } from "./segments.ts";
import { messageKey, newestShown, pendingState } from "./shownMessages.ts";
import type { Composing, Thread } from "./thread.ts";

/** The edit of an own message in the composer. */
export type Edit = Extract<Composing, { kind: "edit" }>;

/** Returns what the composer of a thread is for. An edit ends when its message is deleted, on whichever device. */
export function composingOf(thread: Thread): Composing | null {
  const { composing } = thread;
  if (!composing) return null;
  if (composing.kind === "reply") return isHidden(thread, composing.seq) ? null : composing;
  const seq = seqOfEdit(thread, composing);
  const isThere =
    seq === null
      ? thread.outbox.some(({ client_id }) => client_id === composing.key)
      : !isHidden(thread, seq) && !isDeleted(thread, seq);
  return isThere ? composing : null;
}

/** Returns the number of the edited message; `null` while it is not stored. */
export function seqOfEdit(thread: Thread, { key, seq }: Edit): number | null {
  return seq ?? newestShown(thread, (message) => messageKey(message, thread.friendId) === key)?.seq ?? null;
}

function isDeleted(thread: Thread, seq: number): boolean {
  const message = messageAt(thread.segments, seq);
  return message !== undefined && pendingState(message, thread).deleted_at !== undefined;
}
