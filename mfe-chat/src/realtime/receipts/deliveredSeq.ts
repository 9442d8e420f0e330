import type { ThreadData } from "../../state/chatState.ts";
import { messageAt } from "../../state/segments.ts";
import { countUnread } from "../../state/threadRules.ts";

/**
 * Up to where this browser has the friend's messages, 0 when there is nothing to tell: what is read needs no receipt,
 * and of what lies beyond a gap nobody can say that it is there.
 */
export function deliveredSeq(thread: ThreadData): number {
  if (countUnread(thread) === 0) return 0;
  for (let seq = thread.knownSeq; seq > thread.readSeq; seq -= 1) {
    const message = messageAt(thread.segments, seq);
    if (!message || message.sending_user_id === thread.friendId) return seq;
  }
  return 0;
}
