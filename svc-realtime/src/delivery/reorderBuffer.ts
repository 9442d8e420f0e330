import { setTimeout as pause } from "node:timers/promises";
import { type Message, messageBytes } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";

export const TIMINGS = {
  /** Wait before the first fetch: the event of a missing message usually arrives within it. */
  fetchDelayMs: 20,
  retryMs: 200,
  /** Longest wait for the event of a stored message that cannot be delivered without it. */
  eventTimeoutMs: 2_000,
  /** Longest time that a gap holds a message while the database cannot be read. */
  holdMaxMs: 15_000,
};
/** Most messages that one gap holds, and bytes that all gaps of this instance hold. Above it, gaps are given up. */
const HELD_MAX = 500;
const HELD_BYTES_MAX = 32_000_000;
/** How many earlier messages are fetched before the first message of a thread if events may have been missed. */
const LOOK_BACK = 100;

const gaps = new Counter({
  name: "messageoh_realtime_gaps_total",
  help: "Sequence gaps in a thread on arrival, by outcome",
  labelNames: ["outcome"],
});

/** A message to release, with whatever its consumer needs besides. */
export interface Arrival {
  message: Message;
}

export interface ReorderBufferOptions<A extends Arrival> {
  release: (userId: string, arrival: A) => void;
  /** Returns one page of the messages of a thread between two sequence numbers, both exclusive, ascending. */
  fetchBetween: (threadId: string, after: number, before: number) => Promise<Message[]>;
  /**
   * Returns whether earlier messages of the thread may have been missed. Called for the first message of a thread, which
   * then waits for the earlier ones from the database.
   */
  mayMissEarlier: (userId: string, arrival: A) => boolean;
  /** Returns the arrival for a fetched message, or `null` if the message cannot be delivered without its event. */
  fromStored: (userId: string, message: Message) => A | null;
  logger: Logger;
  timings?: typeof TIMINGS;
}

/** What closed a gap, or one fetch of it: messages were released, are not stored or need their event; or it was given up. */
type GapResult = "fetched" | "absent" | "needs_event" | "given_up";

interface ThreadState<A> {
  /** Highest sequence number released. */
  last: number;
  /** Messages behind a gap, by sequence number, and since when (time of the monotonic clock in milliseconds). */
  held: Map<number, { arrival: A; since: number }>;
  isClosingGap: boolean;
}

/**
 * Releases the messages of each user and thread in sequence order, whichever instances stored and published them. A
 * message behind a gap is held until the missing messages arrive or are fetched.
 */
export function createReorderBuffer<A extends Arrival>(options: ReorderBufferOptions<A>) {
  const { release, fetchBetween, mayMissEarlier, fromStored, logger, timings = TIMINGS } = options;
  const threadsOf = new Map<string, Map<string, ThreadState<A>>>();
  let heldBytes = 0;

  function releaseOne(userId: string, thread: ThreadState<A>, arrival: A): void {
    thread.last = Math.max(thread.last, arrival.message.seq);
    if (thread.held.delete(arrival.message.seq)) heldBytes -= messageBytes(arrival.message);
    release(userId, arrival);
  }

  function releaseConsecutive(userId: string, thread: ThreadState<A>): void {
    for (let next = thread.held.get(thread.last + 1); next; next = thread.held.get(thread.last + 1)) {
      releaseOne(userId, thread, next.arrival);
    }
  }

  /** Releases fetched messages. Stops at a message that needs its event, or skips it if `skipsNeedingEvent`. */
  function releaseFetched(
    userId: string,
    thread: ThreadState<A>,
    fetched: readonly Message[],
    before: number,
    skipsNeedingEvent: boolean,
  ): GapResult {
    let result: GapResult = "fetched";
    for (const message of fetched) {
      if (message.seq <= thread.last) continue;
      // An event that arrived during the fetch carries more than the stored message.
      const arrival = thread.held.get(message.seq)?.arrival ?? fromStored(userId, message);
      if (message.seq > thread.last + 1) result = "absent";
      thread.last = message.seq - 1;
      if (arrival) releaseOne(userId, thread, arrival);
      else if (skipsNeedingEvent) thread.last = message.seq;
      else return "needs_event";
    }
    if (fetched.length > 0 || thread.last >= before - 1) return result;
    // A number that is not stored by now is never stored later.
    thread.last = before - 1;
    return "absent";
  }

  async function closeGap(
    userId: string,
    threadId: string,
    thread: ThreadState<A>,
    eventTimeoutMs: number,
  ): Promise<void> {
    thread.isClosingGap = true;
    const skipAt = performance.now() + eventTimeoutMs;
    await pause(timings.fetchDelayMs);
    const results = new Set<GapResult>();
    while (thread.held.size > 0) {
      const before = Math.min(...thread.held.keys());
      const deadline = (thread.held.get(before)?.since ?? 0) + timings.holdMaxMs;
      if (performance.now() >= deadline || thread.held.size >= HELD_MAX || heldBytes >= HELD_BYTES_MAX) {
        results.add("given_up");
        thread.last = before - 1;
        releaseConsecutive(userId, thread);
        continue;
      }
      try {
        const fetched = await withDeadline(deadline, fetchBetween(threadId, thread.last, before));
        // All events arrived during the fetch, or the user left.
        if (thread.held.size === 0) break;
        const result = releaseFetched(userId, thread, fetched, before, performance.now() >= skipAt);
        results.add(result);
        releaseConsecutive(userId, thread);
        if (result === "needs_event") await pause(timings.retryMs);
      } catch (err) {
        logger.debug({ err, thread_id: threadId, retry_in_ms: timings.retryMs }, "gap fetch failed");
        await pause(timings.retryMs);
      }
    }
    thread.isClosingGap = false;
    gaps.inc({ outcome: outcomeOf(results) });
  }

  return {
    /** Releases the message now, or holds it until the messages before it are released. */
    push(userId: string, arrival: A): void {
      const { thread_id, seq } = arrival.message;
      const threads = threadsOf.get(userId) ?? new Map<string, ThreadState<A>>();
      threadsOf.set(userId, threads);
      let thread = threads.get(thread_id);
      const isFirst = !thread;
      if (!thread) {
        const last = mayMissEarlier(userId, arrival) ? Math.max(0, seq - 1 - LOOK_BACK) : seq - 1;
        thread = { last, held: new Map(), isClosingGap: false };
        threads.set(thread_id, thread);
      }
      if (seq <= thread.last + 1) {
        releaseOne(userId, thread, arrival);
        releaseConsecutive(userId, thread);
        return;
      }
      if (!thread.held.has(seq)) heldBytes += messageBytes(arrival.message);
      thread.held.set(seq, { arrival, since: thread.held.get(seq)?.since ?? performance.now() });
      // The events of messages before the first one are not awaited: most of them arrived before the sockets.
      if (!thread.isClosingGap) void closeGap(userId, thread_id, thread, isFirst ? 0 : timings.eventTimeoutMs);
    },
    /** Drops the state and the held messages of a user without sockets here. Threads start again at their next message. */
    forget(userId: string): void {
      for (const { held } of threadsOf.get(userId)?.values() ?? []) {
        for (const { arrival } of held.values()) heldBytes -= messageBytes(arrival.message);
        held.clear();
      }
      threadsOf.delete(userId);
    },
  };
}

function outcomeOf(results: ReadonlySet<GapResult>): string {
  if (results.has("given_up")) return "given_up";
  if (results.has("absent")) return "absent";
  return results.has("fetched") ? "fetched" : "arrived";
}

/** Rejects if the promise is not settled at the deadline, a time of the monotonic clock in milliseconds. */
const withDeadline = <T>(deadline: number, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    pause(Math.max(0, deadline - performance.now()), undefined, { ref: false }).then(() => {
      throw new Error("Deadline exceeded");
    }),
  ]);
