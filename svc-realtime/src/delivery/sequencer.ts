import type { MessageItem } from "@messageoh/contracts/bus";
import { messageBytes } from "@messageoh/contracts/internal/messages";
import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { sleep } from "@messageoh/service-kit/pauses";

/** Wait before the first read of a gap: the missing message usually arrives within it. */
const READ_DELAY_MS = 20;
const RETRY_MS = 200;
/** Longest time that a gap holds a message. */
const HOLD_MAX_MS = 5_000;
/** Bytes of messages that one gap holds, and all gaps of this instance. Above it, gaps are given up. */
const GAP_BYTES_MAX = 1_000_000;
const HELD_BYTES_MAX = 32_000_000;
/** Gaps that are read at the same time. */
const READS_MAX = 16;
/** How many earlier messages are read before the first message of a thread, if some may be missing. */
const LOOK_BACK = 100;
/** Skipped numbers of a thread that may follow later. */
const SKIPPED_MAX = 1_000;
/** Threads of all users, at most about 200 bytes each. Above it, the state of the user who came first is dropped. */
const THREADS_MAX = 200_000;

const gaps = new Counter({
  name: "messageoh_realtime_gaps_total",
  help: "Sequence gaps in a thread on arrival, by outcome",
  labelNames: ["outcome"],
});
const duplicates = new Counter({
  name: "messageoh_realtime_duplicate_messages_total",
  help: "Messages that arrived again and were not emitted",
});

/** A message for a user's sockets. One that was read from the database has no other fields. */
export type Arrival = Pick<MessageItem, "message"> & Partial<MessageItem>;

export interface SequencerOptions {
  release: (userId: string, arrival: Arrival) => void;
  /** Returns one page of the messages of a thread between two sequence numbers, both exclusive, ascending. */
  readBetween: (threadId: string, after: number, before: number) => Promise<Message[]>;
  /** Returns whether the message before the first one of a thread may be missing, which is then read. */
  mayMissEarlier: (userId: string, arrival: Arrival) => boolean;
  logger: Logger;
}

interface ThreadState {
  /** Highest sequence number released. */
  last: number;
  /**
   * Messages behind a gap by sequence number, with the time since when they wait, by the monotonic clock in
   * milliseconds.
   */
  held: Map<number, { arrival: Arrival; since: number }>;
  heldBytes: number;
  /** Numbers below `last` that were not released. */
  skipped: Set<number>;
  isReading: boolean;
}

/**
 * Releases the messages of each user and thread in sequence order and once each, whichever processes stored and
 * published them: the next number at once, a lower one not at all, a higher one when the missing ones have arrived or
 * were read.
 */
export function createSequencer({ release, readBetween, mayMissEarlier, logger }: SequencerOptions) {
  const threadsOf = new Map<string, Map<string, ThreadState>>();
  let threadCount = 0;
  let allHeldBytes = 0;
  let reads = 0;

  function create(userId: string, threadId: string, last: number): ThreadState {
    const [oldest] = threadsOf.keys();
    if (threadCount >= THREADS_MAX && oldest !== undefined && oldest !== userId) forget(oldest);
    const state = { last, held: new Map(), heldBytes: 0, skipped: new Set<number>(), isReading: false };
    const threads = threadsOf.get(userId) ?? new Map<string, ThreadState>();
    threadsOf.set(userId, threads.set(threadId, state));
    threadCount += 1;
    return state;
  }

  function hold(thread: ThreadState, arrival: Arrival): void {
    const { seq } = arrival.message;
    const since = thread.held.get(seq)?.since;
    if (since === undefined) countHeld(thread, messageBytes(arrival.message));
    thread.held.set(seq, { arrival, since: since ?? performance.now() });
  }

  function countHeld(thread: ThreadState, bytes: number): void {
    thread.heldBytes += bytes;
    allHeldBytes += bytes;
  }

  /** Releases a message, skipping the numbers between it and the last one, and the held ones that follow it. */
  function releaseFrom(userId: string, thread: ThreadState, arrival: Arrival): void {
    for (let next: Arrival | undefined = arrival; next; next = thread.held.get(thread.last + 1)?.arrival) {
      skipTo(thread, next.message.seq - 1);
      thread.last = next.message.seq;
      if (thread.held.delete(thread.last)) countHeld(thread, -messageBytes(next.message));
      release(userId, next);
    }
  }

  function skipTo(thread: ThreadState, seq: number): void {
    for (let skipped = Math.max(thread.last + 1, seq - SKIPPED_MAX); skipped <= seq; skipped += 1) {
      thread.skipped.add(skipped);
    }
    for (const skipped of thread.skipped) {
      if (thread.skipped.size <= SKIPPED_MAX) break;
      thread.skipped.delete(skipped);
    }
  }

  function releaseRead(userId: string, thread: ThreadState, messages: readonly Message[], before: number): void {
    for (const message of messages) {
      if (message.seq <= thread.last) continue;
      releaseFrom(userId, thread, thread.held.get(message.seq)?.arrival ?? { message });
    }
    // A number that is not stored by now is never stored later.
    const next = messages.length === 0 ? thread.held.get(before)?.arrival : undefined;
    if (next) releaseFrom(userId, thread, next);
  }

  /** Reads missing messages until no message is held. */
  async function closeGap(userId: string, threadId: string, thread: ThreadState): Promise<void> {
    thread.isReading = true;
    let outcome = "arrived";
    await sleep(READ_DELAY_MS);
    while (thread.held.size > 0) {
      const [before, first] = [...thread.held].reduce((one, other) => (one[0] < other[0] ? one : other));
      const remainingMs = first.since + HOLD_MAX_MS - performance.now();
      const isFull = thread.heldBytes > GAP_BYTES_MAX || allHeldBytes > HELD_BYTES_MAX;
      if (remainingMs <= 0 || isFull) {
        outcome = "given_up";
        releaseFrom(userId, thread, first.arrival);
      } else if (reads >= READS_MAX) {
        await sleep(READ_DELAY_MS);
      } else {
        reads += 1;
        const { last } = thread;
        try {
          const read = readBetween(threadId, last, before).finally(() => {
            reads -= 1;
          });
          const messages = await Promise.race([read, sleep(remainingMs)]);
          if (messages && thread.held.size > 0) {
            if (outcome === "arrived") outcome = messages.length > 0 ? "read" : "absent";
            releaseRead(userId, thread, messages, before);
          }
        } catch (err) {
          logger.debug({ err, thread_id: threadId, retry_in_ms: RETRY_MS }, "read of a gap failed");
        }
        if (thread.held.size > 0 && thread.last === last) await sleep(RETRY_MS);
      }
    }
    thread.isReading = false;
    gaps.inc({ outcome });
  }

  /**
   * Drops the state and the held messages of a user without sockets here. Threads start again at their next message.
   */
  function forget(userId: string): void {
    const threads = threadsOf.get(userId);
    for (const thread of threads?.values() ?? []) {
      countHeld(thread, -thread.heldBytes);
      thread.held.clear();
    }
    threadCount -= threads?.size ?? 0;
    threadsOf.delete(userId);
  }

  return {
    /** Releases the message now, or holds it until the messages before it are released. */
    push(userId: string, arrival: Arrival): void {
      const { thread_id, seq } = arrival.message;
      let thread = threadsOf.get(userId)?.get(thread_id);
      if (!thread) {
        const reach = seq > 1 && mayMissEarlier(userId, arrival) ? LOOK_BACK : 0;
        thread = create(userId, thread_id, Math.max(0, seq - 1 - reach));
      }
      if (thread.skipped.delete(seq)) release(userId, arrival);
      else if (seq <= thread.last) duplicates.inc();
      else if (seq === thread.last + 1) releaseFrom(userId, thread, arrival);
      else {
        hold(thread, arrival);
        if (!thread.isReading) void closeGap(userId, thread_id, thread);
      }
    },
    forget,
  };
}
