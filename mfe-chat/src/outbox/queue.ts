import type { FailedAck } from "@messageoh/contracts/realtime";
import { newClientId } from "./clientId.ts";
import type { QueuedFile, QueuedMessage } from "./queuedMessage.ts";

/** Failed attempts for this long give a message up, in ms. */
export const NOT_SENT_AFTER_MS = 5 * 60_000;
/** Longer than a backoff and the timeout of an attempt together, in ms. */
const COUNTED_MAX_MS = 60_000;

/**
 * Messages that upload are last: they are sent after what is sent meanwhile. The id decides between equal times, so
 * that the order is the same in every tab.
 */
export function inOrder(queue: Iterable<QueuedMessage>): QueuedMessage[] {
  return [...queue].sort(
    (a, b) =>
      Number(a.state === "uploading") - Number(b.state === "uploading") ||
      a.queued_at - b.queued_at ||
      (a.client_id < b.client_id ? -1 : a.client_id > b.client_id ? 1 : 0),
  );
}

/** Returns the queue time of a new entry in ms, later than all others even if the clock was set back. */
export function nextQueuedAt(queue: readonly { queued_at: number }[], now: number): number {
  return queue.reduce((latest, entry) => Math.max(latest, entry.queued_at + 1), now);
}

/**
 * Returns the messages to send or to upload next: the first one in this state of each thread, because one message per
 * thread is in flight. A message that was given up does not block later ones, because it may never be sent.
 */
export function nextIn(state: "sending" | "uploading", queue: readonly QueuedMessage[]): QueuedMessage[] {
  const heads = new Map<string, QueuedMessage>();
  for (const entry of queue) {
    if (entry.state === state && !heads.has(entry.thread_id)) heads.set(entry.thread_id, entry);
  }
  return [...heads.values()];
}

/** Failed attempts to send a message: how long they took, with the backoffs between them, and the end of the last. */
export interface Failing {
  spentMs: number;
  until: number;
}

/**
 * Adds a failed attempt. More time since the last one than a backoff and a timeout take means that the tab had no
 * connection or was suspended. That time does not count.
 */
export function afterFailure(before: Failing | undefined, startedAt: number, now: number): Failing {
  const elapsedMs = now - (before?.until ?? startedAt);
  const countedMs = elapsedMs >= 0 && elapsedMs <= COUNTED_MAX_MS ? elapsedMs : 0;
  return { spentMs: (before?.spentMs ?? 0) + countedMs, until: now };
}

/**
 * Returns the message and those that wait behind it in its thread, as not sent. If the later ones stayed, they would
 * overtake it.
 */
export function givenUp(queue: readonly QueuedMessage[], { thread_id }: QueuedMessage): QueuedMessage[] {
  return queue
    .filter((entry) => entry.state === "sending" && entry.thread_id === thread_id)
    .map((entry) => ({ ...entry, state: "not-sent" }));
}

/** Returns whether the user can delete a message: it was given up, or the server has certainly not got it. */
export const isDeletable = ({ state, is_untried }: QueuedMessage): boolean =>
  state !== "sending" || is_untried === true;

/** Returns the entry without the mark that nothing was attempted. */
export function tried<Entry extends { is_untried?: true | undefined }>({
  is_untried,
  ...entry
}: Entry): Omit<Entry, "is_untried"> {
  return entry;
}

export const refused = (entry: QueuedMessage, { error, is_recorded }: FailedAck): QueuedMessage => ({
  ...entry,
  state: "not-sent",
  reason: error,
  ...(is_recorded ? { is_recorded } : {}),
});

/** Returns a message whose files are ready at the end of the messages to send. */
export const uploaded = (entry: QueuedMessage, queue: readonly QueuedMessage[], now: number): QueuedMessage => ({
  ...entry,
  state: "sending",
  queued_at: nextQueuedAt(queue, now),
  timestamp: new Date(now).toISOString(),
});

/**
 * Returns the entry at the end of the queue. It keeps its id, so a message that was stored after all is deduplicated.
 * It gets a new one if the server never stores it under the old one. Files that the server refused, or that were in a
 * refused message, are uploaded again; other uploads continue.
 */
export function retried(entry: QueuedMessage, queue: readonly QueuedMessage[], now: number): QueuedMessage {
  const { reason, is_recorded, ...rest } = entry;
  const renewed = is_recorded ? ({ client_id: newClientId(), is_untried: true } as const) : {};
  const times = { queued_at: nextQueuedAt(queue, now), timestamp: new Date(now).toISOString() };
  if (!rest.files) return { ...rest, ...times, ...renewed, state: "sending" };
  const again = ({ url, attachment, ...file }: QueuedFile): QueuedFile => file;
  const files = reason === undefined ? rest.files : rest.files.map(again);
  return { ...rest, ...times, ...renewed, files, state: "uploading" };
}
