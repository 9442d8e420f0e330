import { atMost } from "@messageoh/service-kit/atMost";
import { clientGone, tooMany } from "@messageoh/service-kit/errors";
import { Gauge } from "@messageoh/service-kit/metrics";
import { limited } from "@messageoh/service-kit/rateLimit";
import { LRUCache } from "lru-cache";

const FULL = "Too many people are logging in at the moment. Please try again in a few seconds";
const RETRY_AFTER_SECONDS = 5;
const FAILURES_KEPT_MS = 15 * 60_000;
const FAILURES_MAX_ADDRESSES = 50_000;

// The series exists from the start, so that the first refusal is an increase for an alert.
limited.inc({ limit: "hashing" }, 0);
const depth = new Gauge({ name: "messageoh_users_hashing_queue_depth", help: "Passwords waiting to be hashed" });

interface Waiting {
  start: () => void;
  refuse: (reason: Error) => void;
}

export interface HashingQueueOptions {
  /** Number of passwords hashed at the same time. */
  atOnce: number;
  /** Number of passwords that may wait. */
  waitingMax: number;
}

/**
 * Returns a queue that limits how many passwords are hashed at the same time, because a hash takes a core for a quarter
 * of a second. The queue is fair to addresses. The next password is from the address with the fewest failures;
 * addresses with equal failures take turns. If the queue is full, a password from another address replaces the last one
 * of the address with the most waiting passwords. Thus a user at an address without failures waits for one or two
 * hashes, even during an attack.
 */
export function createHashingQueue({ atOnce, waitingMax }: HashingQueueOptions) {
  /** Waiting passwords by address, in the order of the addresses' turns. */
  const waiting = new Map<string, Waiting[]>();
  const failures = new LRUCache<string, number>({ ...atMost(FAILURES_MAX_ADDRESSES), ttl: FAILURES_KEPT_MS });
  let running = 0;
  let waitingCount = 0;

  const failuresOf = (address: string) => failures.get(address) ?? 0;
  const countOf = (address: string) => waiting.get(address)?.length ?? 0;

  function failed(address: string): void {
    failures.set(address, failuresOf(address) + 1);
  }

  /** A refusal counts as a failure, so that a flood has failures before its first wrong password is hashed. */
  function full(address: string): Error {
    failed(address);
    limited.inc({ limit: "hashing" });
    return tooMany(FULL, RETRY_AFTER_SECONDS);
  }

  /** Returns the address whose last password gives way to a new one from `address`, if any. */
  function addressToDisplace(address: string): string | undefined {
    const isHeavier = (one: string, other: string) =>
      countOf(one) - countOf(other) || failuresOf(one) - failuresOf(other);
    let heaviest = address;
    for (const other of waiting.keys()) if (isHeavier(other, heaviest) > 0) heaviest = other;
    return heaviest === address ? undefined : heaviest;
  }

  function remove(address: string, end: "first" | "last"): Waiting | undefined {
    const entries = waiting.get(address);
    const removed = end === "first" ? entries?.shift() : entries?.pop();
    if (entries?.length === 0) waiting.delete(address);
    if (removed) waitingCount -= 1;
    depth.set(waitingCount);
    return removed;
  }

  function startNext(): void {
    if (running >= atOnce) return;
    let next: string | undefined;
    for (const address of waiting.keys()) {
      if (next === undefined || failuresOf(address) < failuresOf(next)) next = address;
    }
    if (next === undefined) return;
    const job = remove(next, "first");
    // The other passwords of this address wait until the other addresses have had their turn.
    const rest = waiting.get(next);
    if (rest && waiting.delete(next)) waiting.set(next, rest);
    running += 1;
    job?.start();
  }

  return {
    /** Throws 429 if a password from this address would be refused now. Call it before other expensive work. */
    refuseIfFull(address: string): void {
      if (waitingCount >= waitingMax && addressToDisplace(address) === undefined) throw full(address);
    },

    /** Runs the work when it is its turn, unless the client has gone by then. Rejects with 429 if the queue is full. */
    async run<T>(address: string, work: () => Promise<T>, isGone = () => false): Promise<T> {
      if (running >= atOnce) {
        if (waitingCount >= waitingMax) {
          const displaced = addressToDisplace(address);
          if (displaced === undefined) throw full(address);
          remove(displaced, "last")?.refuse(full(displaced));
        }
        await new Promise<void>((start, refuse) => {
          waiting.set(address, [...(waiting.get(address) ?? []), { start, refuse }]);
          waitingCount += 1;
          depth.set(waitingCount);
        });
      } else {
        running += 1;
      }
      try {
        if (isGone()) throw clientGone();
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },

    /** Counts a failed sign-in. Other addresses take precedence for 15 minutes. */
    failed,
  };
}
