import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";

export const WAITS = {
  /** The event of a missing message is mostly right behind. */
  eventMs: 20,
  retryMs: 200,
  /** A message that is stored but useless without its event holds back those behind it for this long at most. */
  uselessMs: 2_000,
  /** While the database cannot be read, a gap holds back the messages behind it for this long at most. */
  holdMs: 15_000,
};
/** Messages that one gap, and all gaps of this instance, hold back at most. Beyond it, order yields to delivery. */
const HELD_MAX = 500;
const HELD_TOTAL_MAX = 2_000;

const gaps = new Counter({
  name: "messageoh_realtime_gaps_total",
  help: "Gaps in the numbers of a thread on arrival, by how they ended",
  labelNames: ["outcome"],
});

/** A message on its way to a user's sockets. */
export interface Arrival {
  message: Message;
}

export interface InOrderOptions<A extends Arrival> {
  release: (userId: string, arrival: A) => void;
  /** Reads the messages of a thread between two numbers, both exclusive; at most a page, ascending. */
  fetchBetween: (threadId: string, after: number, before: number) => Promise<Message[]>;
  /** Makes an arrival of a fetched message; `null` if the message is of no use without its event. */
  toArrival: (userId: string, message: Message) => A | null;
  logger: Logger;
  waits?: typeof WAITS;
}

/** What a read of the database came to. */
type Step = "fetched" | "absent" | "waiting";

interface Gate<A> {
  /** Highest number released. */
  last: number;
  /** Messages behind a gap, by number. */
  held: Map<number, A>;
  isClosing: boolean;
}

/**
 * Releases the messages of each user and thread in the order of their numbers, whichever instances stored and published
 * them: a message behind a gap waits until the missing ones arrive or are fetched.
 */
export function createInOrder<A extends Arrival>(options: InOrderOptions<A>) {
  const { release, fetchBetween, toArrival, logger, waits = WAITS } = options;
  const gatesOf = new Map<string, Map<string, Gate<A>>>();
  let heldTotal = 0;

  function releaseNext(userId: string, gate: Gate<A>, arrival: A): void {
    gate.last = Math.max(gate.last, arrival.message.seq);
    if (gate.held.delete(arrival.message.seq)) heldTotal -= 1;
    release(userId, arrival);
  }

  function releaseHeld(userId: string, gate: Gate<A>): void {
    for (let next = gate.held.get(gate.last + 1); next; next = gate.held.get(gate.last + 1)) {
      releaseNext(userId, gate, next);
    }
  }

  /** Releases fetched messages up to one that needs its event, or past it if `skipsUseless`. */
  function releaseFetched(
    userId: string,
    gate: Gate<A>,
    missing: readonly Message[],
    before: number,
    skipsUseless: boolean,
  ): Step {
    let step: Step = "fetched";
    for (const message of missing) {
      if (message.seq <= gate.last) continue;
      // An event that came meanwhile says more than the stored message.
      const arrival = gate.held.get(message.seq) ?? toArrival(userId, message);
      if (message.seq > gate.last + 1) step = "absent";
      gate.last = message.seq - 1;
      if (arrival) releaseNext(userId, gate, arrival);
      else if (skipsUseless) gate.last = message.seq;
      else return "waiting";
    }
    if (missing.length > 0 || gate.last >= before - 1) return step;
    // A number that is not stored will never come.
    gate.last = before - 1;
    return "absent";
  }

  async function closeGap(userId: string, threadId: string, gate: Gate<A>): Promise<void> {
    gate.isClosing = true;
    const skipAt = Date.now() + waits.uselessMs;
    const giveUpAt = Date.now() + waits.holdMs;
    const mayHold = () => Date.now() < giveUpAt && gate.held.size < HELD_MAX && heldTotal < HELD_TOTAL_MAX;
    await pause(waits.eventMs);
    const steps = new Set<Step>();
    while (gate.held.size > 0 && mayHold()) {
      const before = Math.min(...gate.held.keys());
      try {
        const missing = await within(giveUpAt, fetchBetween(threadId, gate.last, before));
        const step = releaseFetched(userId, gate, missing, before, Date.now() >= skipAt);
        steps.add(step);
        releaseHeld(userId, gate);
        if (step === "waiting") await pause(waits.retryMs);
      } catch (err) {
        logger.debug({ err, thread_id: threadId }, "gap not fetched, trying again");
        await pause(waits.retryMs);
      }
    }
    gate.isClosing = false;
    gaps.inc({ outcome: gate.held.size > 0 ? "given up" : outcomeOf(steps) });
    const rest = [...gate.held.values()].sort((a, b) => a.message.seq - b.message.seq);
    for (const arrival of rest) releaseNext(userId, gate, arrival);
  }

  return {
    /** Releases the message now, or after those before it. */
    push(userId: string, arrival: A): void {
      const { thread_id, seq } = arrival.message;
      const gates = gatesOf.get(userId) ?? new Map<string, Gate<A>>();
      gatesOf.set(userId, gates);
      const gate = gates.get(thread_id);
      if (!gate) {
        gates.set(thread_id, { last: seq, held: new Map(), isClosing: false });
        release(userId, arrival);
      } else if (seq <= gate.last + 1) {
        releaseNext(userId, gate, arrival);
        releaseHeld(userId, gate);
      } else {
        if (!gate.held.has(seq)) heldTotal += 1;
        gate.held.set(seq, arrival);
        if (!gate.isClosing) void closeGap(userId, thread_id, gate);
      }
    },
    /** Forgets a user without sockets here: it begins anew with the next message. */
    forget: (userId: string) => void gatesOf.delete(userId),
  };
}

function outcomeOf(steps: ReadonlySet<Step>): string {
  if (steps.has("absent")) return "absent";
  return steps.has("fetched") ? "fetched" : "arrived";
}

/** Rejects at the deadline, in Unix milliseconds, if the promise is not settled by then. */
const within = <T>(deadline: number, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    pause(Math.max(0, deadline - Date.now()), undefined, { ref: false }).then(() => {
      throw new Error("No answer in time");
    }),
  ]);
