import { isOfMessage } from "../../pending/pendingChange.ts";
import { isHidden } from "./privateMarks.ts";
import { type MessageParts, pendingState, rowOf, type ThreadMessage } from "./shownMessages.ts";
import type { Thread } from "./thread.ts";

/** Returns the pinned messages of a thread that are known and not hidden, newest first. */
export function pinnedMessages(thread: MessageParts & Pick<Thread, "early">): ThreadMessage[] {
  const { segments, early, pending } = thread;
  const changing = new Set(pending.filter(isOfMessage).map(({ seq }) => seq));
  // Most messages are neither pinned nor about to be.
  const candidates = [...segments.flatMap(({ messages }) => messages), ...early].filter(
    ({ seq, pinned }) => pinned !== undefined || changing.has(seq),
  );
  return candidates
    .filter((message) => pendingState(message, thread).pinned !== undefined && !isHidden(thread, message.seq))
    .sort((a, b) => b.seq - a.seq)
    .map((message) => rowOf(message, thread));
}
