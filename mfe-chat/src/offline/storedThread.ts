import type { Message } from "@messageoh/contracts/messages";
import type { ChatState } from "../state/chatState.ts";
import { orderTime } from "../state/thread/order.ts";
import { hiddenIn, starredIn } from "../state/thread/privateMarks.ts";
import { newThread, type Thread } from "../state/thread/thread.ts";
import { countUnread } from "../state/thread/unread.ts";
import { newestMessages, THREADS_MAX } from "./limits.ts";
import type { StoredThread } from "./storedChat.ts";

/**
 * A thread to store. The device discards what it stored before the change `sinceChange`, which may be outdated, and the
 * messages that the user has hidden.
 */
export type SavedThread = StoredThread & { sinceChange: number; hidden: ReadonlySet<number> };

/** Returns the threads that the device keeps, the latest first. */
export function threadsToKeep({ threads, friends }: ChatState): Thread[] {
  const times = [...threads.values()]
    .filter(({ friendId }) => friends.has(friendId))
    // Threads without messages are last; their time is not a number that can be subtracted.
    .map((thread) => ({ thread, time: Math.max(0, orderTime(thread)) }));
  times.sort((a, b) => b.time - a.time);
  return times.slice(0, THREADS_MAX).map(({ thread }) => thread);
}

export function toStored(thread: Thread): SavedThread {
  const { threadId, friendId, readSeq, friendReadSeq, friendDeliveredSeq, segments, early, sinceChange } = thread;
  const hidden = hiddenIn(thread);
  const isShown = ({ seq }: Message) => !hidden.has(seq);
  const loaded = segments.flatMap((segment) => segment.messages);
  const messages = newestMessages(loaded.filter(isShown), early.filter(isShown));
  const markers = { readSeq, friendReadSeq, friendDeliveredSeq, unread: countUnread(thread) };
  const starred = [...starredIn(thread)];
  return {
    threadId,
    friendId,
    ...markers,
    knownChange: thread.knownChange ?? 0,
    sinceChange,
    hidden,
    starred,
    messages,
  };
}

/** Returns a stored thread as if it began with its first stored message, so that nothing requests older ones. */
export function fromStored(stored: StoredThread): Thread {
  const { threadId, friendId, readSeq, friendReadSeq, friendDeliveredSeq, unread, starred, messages } = stored;
  const to = messages.at(-1)?.seq ?? 0;
  return {
    ...newThread(threadId, friendId, []),
    segments: to > 0 ? [{ from: 1, to, messages }] : [],
    knownSeq: to,
    lastSeq: to,
    counted: { upTo: to, readSeq, unread },
    readSeq,
    serverReadSeq: readSeq,
    friendReadSeq,
    friendDeliveredSeq,
    starred: new Set(starred),
    arePinsLoaded: true,
  };
}
