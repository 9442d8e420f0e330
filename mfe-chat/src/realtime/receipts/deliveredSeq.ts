import { messageAt } from "../../state/thread/segments.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { countUnread } from "../../state/thread/unread.ts";

/**
 * Returns the sequence number up to which this browser has the friend's messages without a gap, or 0 if there is
 * nothing to report because all of them are read.
 */
export function deliveredSeq(thread: Thread): number {
  if (countUnread(thread) === 0) return 0;
  for (let seq = thread.knownSeq; seq > thread.readSeq; seq -= 1) {
    const message = messageAt(thread.segments, seq);
    if (!message || message.sending_user_id === thread.friendId) return seq;
  }
  return 0;
}
