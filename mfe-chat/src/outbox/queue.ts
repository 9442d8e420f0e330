import type { QueuedMessage } from "../state/queuedMessage.ts";

export const NOT_SENT_AFTER_MS = 5 * 60_000;

/** The id decides between equal times, so that the order is the same in every tab. */
export function inOrder(queue: Iterable<QueuedMessage>): QueuedMessage[] {
  return [...queue].sort(
    (a, b) => a.queued_at - b.queued_at || (a.client_id < b.client_id ? -1 : a.client_id > b.client_id ? 1 : 0),
  );
}

/** Returns the queue time of a new entry in ms, later than all others even if the clock was set back. */
export function nextQueuedAt(queue: readonly QueuedMessage[], now: number): number {
  return queue.reduce((latest, entry) => Math.max(latest, entry.queued_at + 1), now);
}

/**
 * Returns the messages to send next: the first waiting one of each thread, because one message per thread is in flight.
 * A message that was given up does not block later ones, because it may never be sent.
 */
export function nextToSend(queue: readonly QueuedMessage[]): QueuedMessage[] {
  const heads = new Map<string, QueuedMessage>();
  for (const entry of queue) {
    if (entry.state === "sending" && !heads.has(entry.thread_id)) heads.set(entry.thread_id, entry);
  }
  return [...heads.values()];
}

/** Returns when a message is given up, in ms. A message from an earlier visit gets its full time again. */
export const deadlineOf = (entry: QueuedMessage, pageOpenedAt: number) =>
  Math.max(entry.queued_at, pageOpenedAt) + NOT_SENT_AFTER_MS;

/**
 * Returns the messages to mark as not sent: expired ones and those that wait behind them in their thread. Otherwise the
 * later ones would overtake the expired one after a reconnect.
 */
export function expired(
  queue: readonly QueuedMessage[],
  pageOpenedAt: number,
  now: number,
  isUnderWay: (clientId: string) => boolean,
): QueuedMessage[] {
  const late = new Set(
    nextToSend(queue)
      .filter((head) => deadlineOf(head, pageOpenedAt) <= now && !isUnderWay(head.client_id))
      .map((head) => head.thread_id),
  );
  return queue
    .filter((entry) => entry.state === "sending" && late.has(entry.thread_id))
    .map((entry) => ({ ...entry, state: "not-sent" }));
}

export const refused = (entry: QueuedMessage, reason: string): QueuedMessage => ({
  ...entry,
  state: "not-sent",
  reason,
});

/**
 * Returns the entry at the end of the queue. It keeps its id, so a message that was stored after all is deduplicated.
 */
export function retried(entry: QueuedMessage, queue: readonly QueuedMessage[], now: number): QueuedMessage {
  const { reason: _, ...rest } = entry;
  return { ...rest, state: "sending", queued_at: nextQueuedAt(queue, now), timestamp: new Date(now).toISOString() };
}
