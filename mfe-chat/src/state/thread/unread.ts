import { messageAt, type Segment, segmentWith } from "./segments.ts";
import type { Thread } from "./thread.ts";

/** Returns the server's unread count plus messages received since, both above the read marker. */
export function countUnread(thread: Thread): number {
  const { segments, counted, readSeq, lastSeq, friendId } = thread;
  let unread = unreadAtServer(thread);
  for (let seq = lastSeq; seq > Math.max(counted.upTo, readSeq); seq -= 1) {
    if (messageAt(segments, seq)?.sending_user_id === friendId) unread += 1;
  }
  return unread;
}

function unreadAtServer({ segments, counted, readSeq, friendId }: Thread): number {
  if (readSeq >= counted.upTo) return 0;
  if (readSeq <= counted.readSeq) return counted.unread;
  // Another tab has read some of the counted messages.
  const held = segmentWith(segments, counted.upTo);
  if (!held || held.from > readSeq + 1) return Math.min(counted.unread, counted.upTo - readSeq);
  return held.messages.filter(
    ({ seq, sending_user_id }) => seq > readSeq && seq <= counted.upTo && sending_user_id === friendId,
  ).length;
}

/** Marks everything up to `lastSeq` as read. A thread without unread messages does not change. */
export function markRead(thread: Thread): Thread {
  return countUnread(thread) === 0 ? thread : { ...thread, readSeq: thread.lastSeq };
}

/** Marks the thread read and keeps the position of the line above the new messages. */
export function markReadWithLine(thread: Thread): Thread {
  const newCount = countUnread(thread);
  return newCount === 0 ? thread : { ...markRead(thread), newFromSeq: thread.readSeq + 1, newCount };
}

/** Returns the number of the message below the line above the new messages; `null` without a line. */
export function firstUnreadSeq({ newFromSeq, friendId }: Thread, window: Segment): number | null {
  if (newFromSeq === null || window.from > newFromSeq) return newFromSeq;
  const first = window.messages.find(({ seq, sending_user_id }) => seq >= newFromSeq && sending_user_id === friendId);
  return first?.seq ?? newFromSeq;
}
