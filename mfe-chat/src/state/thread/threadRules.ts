import type { Draft, Message, ThreadState } from "@messageoh/contracts/messages";
import { advanceChange, withEarly, withSegments } from "./changeRules.ts";
import { type MarkChange, syncMarks } from "./privateMarks.ts";
import { insertMessages, newestOf, type Range, segmentWith } from "./segments.ts";
import type { Thread } from "./thread.ts";
import { withView } from "./window.ts";

/** Position of a page of history: the newest page, more of the shown window, or a new window around a number. */
export type PagePlace = "newest" | "more" | { around: number };

/** Request for a page, with exclusive bounds. Without bounds, the newest messages. */
export interface PageRequest {
  before?: number;
  after?: number;
  limit: number;
  /** Numbers up to this one were final when the request was sent: a message that has one of them is stored. */
  finalSeq: number;
}

/**
 * Adds stored messages in any order; duplicates are ignored.
 * @param request request that `messages` respond to completely: a number missing in its range does not exist
 */
export function addMessages(thread: Thread, messages: readonly Message[], request?: PageRequest): Thread {
  const newest = withEarly(thread, messages);
  const segments = insertMessages(thread.segments, newest, request && coveredBy(messages, request));
  if (segments === thread.segments) return thread;
  const readByFriend = messages.findLast((message) => message.read && message.recipient_user_id === thread.friendId);
  return advance({
    ...withSegments(thread, segments),
    lastSeq: Math.max(thread.lastSeq, newestOf(segments)?.seq ?? 0),
    friendReadSeq: Math.max(thread.friendReadSeq, readByFriend?.seq ?? 0),
  });
}

/** Returns the range that a page covers completely. Above the final numbers, messages may still be in flight. */
function coveredBy(messages: readonly Message[], request: PageRequest): Range | undefined {
  const { before, after, limit, finalSeq } = request;
  const first = messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const last = messages.at(-1)?.seq ?? 0;
  if (after !== undefined) {
    const to = Math.max(last, Math.min(after + limit, finalSeq));
    return after < to ? { from: after + 1, to } : undefined;
  }
  // The newest page ends before the hidden ones among the final numbers.
  const to = Math.max(last, Math.min((before ?? Number.POSITIVE_INFINITY) - 1, finalSeq));
  return to > 0 ? { from: Math.min(first, Math.max(1, (before ?? last + 1) - limit)), to } : undefined;
}

export function addPage(thread: Thread, messages: readonly Message[], place: PagePlace, request: PageRequest): Thread {
  const added = { ...addMessages(thread, messages, request), isTracked: true, hasFailed: false };
  if (place === "more") return withView(added, added.viewSeq);
  if (place !== "newest") return withView(added, place.around);
  // The page may be older than live messages; numbers missing in between are a regular gap.
  const last = messages.at(-1);
  const tail = last && segmentWith(added.segments, last.seq);
  return withView(tail ? { ...added, knownSeq: tail.to } : added, null);
}

/** Discards the messages of a thread that missed too much, and starts again at its newest page. */
export function restart(thread: Thread, messages: readonly Message[], request: PageRequest, change: number): Thread {
  const { isTracked } = thread;
  const empty = { ...thread, segments: [], early: [], knownChange: change, sinceChange: change, arePinsLoaded: false };
  return { ...addPage(empty, messages, "newest", request), isTracked };
}

/**
 * Merges the server's state of a thread. The response may be older than live events, so no value decreases.
 * @param marksLater what the user has hidden or starred in the thread since the request
 */
export function syncThread(thread: Thread, server: ThreadState, marksLater: readonly MarkChange[] = []): Thread {
  const isNewer =
    server.last_seq > thread.counted.upTo ||
    (server.last_seq === thread.counted.upTo && server.read_seq >= thread.counted.readSeq);
  const synced = {
    ...thread,
    counted: isNewer
      ? { upTo: server.last_seq, readSeq: server.read_seq, unread: server.unread_count }
      : thread.counted,
    lastSeq: Math.max(thread.lastSeq, server.last_seq),
    knownSeq: thread.isTracked ? thread.knownSeq : Math.max(thread.knownSeq, server.last_seq),
    knownChange: thread.knownChange ?? server.last_change,
    sinceChange: thread.knownChange === null ? server.last_change : thread.sinceChange,
    lastChange: Math.max(thread.lastChange, server.last_change),
    readSeq: Math.max(thread.readSeq, server.read_seq),
    serverReadSeq: Math.max(thread.serverReadSeq, server.read_seq),
    friendReadSeq: Math.max(thread.friendReadSeq, server.friend_read_seq),
    friendDeliveredSeq: Math.max(thread.friendDeliveredSeq, server.friend_delivered_seq),
    draft: newestDraft(thread.draft, server.draft),
  };
  const added = advanceChange(advance(server.last_message ? addMessages(synced, [server.last_message]) : synced));
  const marked = syncMarks(added, server, marksLater);
  return isSame(thread, marked) ? thread : marked;
}

/** Returns the draft that was saved last. A response may be older than an event. */
export const newestDraft = (known: Draft | null, other: Draft | null = null): Draft | null =>
  other && other.rev > (known?.rev ?? 0) ? other : known;

/** Most threads do not change between two polls; keep their identity to avoid recomputing their views. */
function isSame(a: Thread, b: Thread): boolean {
  const { counted: countedA, ...restA } = a;
  const { counted: countedB, ...restB } = b;
  return isEqual(restA, restB) && isEqual(countedA, countedB);
}

function isEqual<Value extends object>(a: Value, b: Value): boolean {
  return (Object.keys(a) as (keyof Value)[]).every((key) => a[key] === b[key]);
}

export function moveOwnMarker(thread: Thread, seq: number): Thread {
  if (seq <= thread.readSeq && seq <= thread.serverReadSeq) return thread;
  return {
    ...thread,
    readSeq: Math.max(thread.readSeq, seq),
    serverReadSeq: Math.max(thread.serverReadSeq, seq),
  };
}

export function moveFriendMarker(thread: Thread, kind: "read" | "delivered", seq: number): Thread {
  const name = kind === "read" ? "friendReadSeq" : "friendDeliveredSeq";
  return seq <= thread[name] ? thread : { ...thread, [name]: seq };
}

function advance(thread: Thread): Thread {
  const next = segmentWith(thread.segments, thread.knownSeq + 1);
  return withView(next ? { ...thread, knownSeq: next.to } : thread, thread.viewSeq);
}
