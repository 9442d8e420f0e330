import type { QueuedMessage } from "../state/queuedMessage.ts";

export const NOT_SENT_AFTER_MS = 5 * 60_000;

/** Of one moment, ids decide: so every tab has the same order. */
export function inOrder(queue: Iterable<QueuedMessage>): QueuedMessage[] {
  return [...queue].sort(
    (a, b) => a.queued_at - b.queued_at || (a.client_id < b.client_id ? -1 : a.client_id > b.client_id ? 1 : 0),
  );
}

/** The moment for a new entry: later than all others, even when the clock was set back. */
export function nextQueuedAt(queue: readonly QueuedMessage[], now: number): number {
  return queue.reduce((latest, entry) => Math.max(latest, entry.queued_at + 1), now);
}

/**
 * What goes out next: the first waiting message of each thread, for one message per thread is under way at a time.
 *
 * One that was not sent does not hold up the others: people who write on do not expect their new message to wait for
 * an old one, which may never go.
 */
export function nextToSend(queue: readonly QueuedMessage[]): QueuedMessage[] {
  const heads = new Map<string, QueuedMessage>();
  for (const entry of queue) {
    if (entry.state === "sending" && !heads.has(entry.thread_id)) heads.set(entry.thread_id, entry);
  }
  return [...heads.values()];
}

/** When a message's time is over. What lay there when the page opened gets its full time again. */
export const deadlineOf = (entry: QueuedMessage, pageOpenedAt: number) =>
  Math.max(entry.queued_at, pageOpenedAt) + NOT_SENT_AFTER_MS;

/**
 * The messages to give up, as not sent. With one whose time is over go all that wait behind it: otherwise those would
 * reach the friend before it when the connection comes back a moment later.
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

/** Back to the end of the queue, as if written now, with the same id: had it been stored after all, it is not doubled. */
export function retried(entry: QueuedMessage, queue: readonly QueuedMessage[], now: number): QueuedMessage {
  const { reason: _, ...rest } = entry;
  return { ...rest, state: "sending", queued_at: nextQueuedAt(queue, now), timestamp: new Date(now).toISOString() };
}
