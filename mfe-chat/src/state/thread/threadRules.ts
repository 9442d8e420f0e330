import type { Message, ThreadState } from "@messageoh/contracts/messages";
import type { QueuedMessage } from "../../outbox/queuedMessage.ts";
import { insertMessages, messageAt, newestOf, type Range, segmentWith } from "./segments.ts";
import type { ThreadData } from "./thread.ts";

/** A window with fewer messages is extended before it is shown, if there are more. */
const ENOUGH_MESSAGES = 30;

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
export function addMessages(thread: ThreadData, messages: readonly Message[], request?: PageRequest): ThreadData {
  const segments = insertMessages(thread.segments, messages, request && coveredBy(messages, request));
  if (segments === thread.segments) return thread;
  const readByFriend = messages.findLast((message) => message.read && message.recipient_user_id === thread.friendId);
  return advance({
    ...thread,
    segments,
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
  const to = before === undefined ? last : Math.max(last, Math.min(before - 1, finalSeq));
  return to > 0 ? { from: Math.min(first, Math.max(1, (before ?? last + 1) - limit)), to } : undefined;
}

export function addPage(
  thread: ThreadData,
  messages: readonly Message[],
  place: PagePlace,
  request: PageRequest,
): ThreadData {
  const added = { ...addMessages(thread, messages, request), isTracked: true, hasFailed: false };
  if (place === "more") return withView(added, added.viewSeq);
  if (place !== "newest") return withView(added, place.around);
  // The page may be older than live messages; numbers missing in between are a regular gap.
  const last = messages.at(-1);
  const tail = last && segmentWith(added.segments, last.seq);
  return withView(tail ? { ...added, knownSeq: tail.to } : added, null);
}

/** Shows the window that contains a number, or the newest one. */
export function withView(thread: ThreadData, seq: number | null): ThreadData {
  const window = seq === null ? undefined : segmentWith(thread.segments, seq);
  const isNewest = window === undefined || window.to >= thread.knownSeq;
  const viewSeq = isNewest ? null : seq;
  return viewSeq === thread.viewSeq ? thread : { ...thread, viewSeq };
}

/** Merges the server's state of a thread. The response may be older than live events, so no value decreases. */
export function syncThread(thread: ThreadData, server: ThreadState): ThreadData {
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
    readSeq: Math.max(thread.readSeq, server.read_seq),
    serverReadSeq: Math.max(thread.serverReadSeq, server.read_seq),
    friendReadSeq: Math.max(thread.friendReadSeq, server.friend_read_seq),
    friendDeliveredSeq: Math.max(thread.friendDeliveredSeq, server.friend_delivered_seq),
  };
  const added = advance(server.last_message ? addMessages(synced, [server.last_message]) : synced);
  return isSame(thread, added) ? thread : added;
}

/** Most threads do not change between two polls; keep their identity to avoid recomputing their views. */
function isSame(a: ThreadData, b: ThreadData): boolean {
  const { counted: countedA, ...restA } = a;
  const { counted: countedB, ...restB } = b;
  return isEqual(restA, restB) && isEqual(countedA, countedB);
}

function isEqual<Value extends object>(a: Value, b: Value): boolean {
  return (Object.keys(a) as (keyof Value)[]).every((key) => a[key] === b[key]);
}

export function moveOwnMarker(thread: ThreadData, seq: number): ThreadData {
  if (seq <= thread.readSeq && seq <= thread.serverReadSeq) return thread;
  return {
    ...thread,
    readSeq: Math.max(thread.readSeq, seq),
    serverReadSeq: Math.max(thread.serverReadSeq, seq),
  };
}

export function moveFriendMarker(thread: ThreadData, kind: "read" | "delivered", seq: number): ThreadData {
  const name = kind === "read" ? "friendReadSeq" : "friendDeliveredSeq";
  return seq <= thread[name] ? thread : { ...thread, [name]: seq };
}

/** Marks everything up to `lastSeq` as read. A thread without unread messages does not change. */
export function markRead(thread: ThreadData): ThreadData {
  return countUnread(thread) === 0 ? thread : { ...thread, readSeq: thread.lastSeq };
}

/** Marks the thread read and keeps the position of the "New messages" line. */
export function markReadWithLine(thread: ThreadData): ThreadData {
  return countUnread(thread) === 0 ? thread : { ...markRead(thread), newFromSeq: thread.readSeq + 1 };
}

/** Returns the server's unread count plus messages received since, both above the read marker. */
export function countUnread(thread: ThreadData): number {
  const { segments, counted, readSeq, lastSeq, friendId } = thread;
  let unread = unreadAtServer(thread);
  for (let seq = lastSeq; seq > Math.max(counted.upTo, readSeq); seq -= 1) {
    if (messageAt(segments, seq)?.sending_user_id === friendId) unread += 1;
  }
  return unread;
}

function unreadAtServer({ segments, counted, readSeq, friendId }: ThreadData): number {
  if (readSeq >= counted.upTo) return 0;
  if (readSeq <= counted.readSeq) return counted.unread;
  // Another tab has read some of the counted messages.
  const held = segmentWith(segments, counted.upTo);
  if (!held || held.from > readSeq + 1) return Math.min(counted.unread, counted.upTo - readSeq);
  return held.messages.filter(
    ({ seq, sending_user_id }) => seq > readSeq && seq <= counted.upTo && sending_user_id === friendId,
  ).length;
}

/** Returns whether the newest window has enough messages to be shown without a request. */
export function isTailReady({ segments, knownSeq, lastSeq }: ThreadData): boolean {
  if (knownSeq === 0) return lastSeq === 0;
  const tail = segmentWith(segments, knownSeq);
  return tail !== undefined && tail.from <= Math.max(1, knownSeq - ENOUGH_MESSAGES + 1);
}

/** Returns the outbox entries that are not stored: an ack may be lost, or precede the update of the queue. */
export function unsentOf({ segments, outbox }: ThreadData, userId: string): readonly QueuedMessage[] {
  if (outbox.length === 0) return outbox;
  const ids = new Set(outbox.map((entry) => entry.client_id));
  for (const { messages } of segments) {
    for (const message of messages) {
      if (message.client_id !== null && message.sending_user_id === userId) ids.delete(message.client_id);
    }
  }
  return outbox.filter((entry) => ids.has(entry.client_id));
}

export const hasGap = (thread: ThreadData) => thread.isTracked && thread.lastSeq > thread.knownSeq;

function advance(thread: ThreadData): ThreadData {
  const next = segmentWith(thread.segments, thread.knownSeq + 1);
  return withView(next ? { ...thread, knownSeq: next.to } : thread, thread.viewSeq);
}
