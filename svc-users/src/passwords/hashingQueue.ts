import { tooMany } from "@messageoh/service-kit/errors";
import { Gauge } from "@messageoh/service-kit/metrics";
import { limited } from "@messageoh/service-kit/rateLimit";
import { LRUCache } from "lru-cache";

const FULL = "Too many people are logging in at the moment. Please try again in a few seconds";
const RETRY_AFTER_SECONDS = 5;
const FAILURES_KEPT_MS = 15 * 60_000;
const FAILURES_MAX_ADDRESSES = 50_000;

const depth = new Gauge({ name: "messageoh_users_hashing_queue_depth", help: "Passwords waiting to be hashed" });

interface Waiting {
  start: () => void;
  refuse: (reason: Error) => void;
}

export interface HashingQueueOptions {
  /** Passwords hashed at the same time. */
  atOnce: number;
  /** Passwords that may wait. */
  waitingMax: number;
}

export type HashingQueue = ReturnType<typeof createHashingQueue>;

/**
 * Hashing a password costs a core a quarter of a second, for everybody who asks. This lets a few be hashed at once and a
 * few wait, and it is fair: next is the address that has failed least, then each address in turn. When all places are
 * taken, a newcomer gets the last place of the address that holds most. So who comes from an address without failures
 * waits for a hash or two, however many others guess.
 */
export function createHashingQueue({ atOnce, waitingMax }: HashingQueueOptions) {
  /** By address, in the order in which they have their turn. */
  const waiting = new Map<string, Waiting[]>();
  const failures = new LRUCache<string, number>({ max: FAILURES_MAX_ADDRESSES, ttl: FAILURES_KEPT_MS });
  let running = 0;
  let waitingCount = 0;

  const failuresOf = (address: string) => failures.get(address) ?? 0;
  const placesOf = (address: string) => waiting.get(address)?.length ?? 0;

  function failed(address: string): void {
    failures.set(address, failuresOf(address) + 1);
  }

  /** Being refused counts as a failure: a flood gathers them at once, long before its first wrong password is hashed. */
  function full(address: string): Error {
    failed(address);
    limited.inc({ limit: "hashing" });
    return tooMany(FULL, RETRY_AFTER_SECONDS);
  }

  /** The address whose last place a newcomer from `address` may take. */
  function addressToDisplace(address: string): string | undefined {
    const isHeavier = (one: string, other: string) =>
      placesOf(one) - placesOf(other) || failuresOf(one) - failuresOf(other);
    let heaviest = address;
    for (const other of waiting.keys()) if (isHeavier(other, heaviest) > 0) heaviest = other;
    return heaviest === address ? undefined : heaviest;
  }

  function remove(address: string, end: "first" | "last"): Waiting | undefined {
    const places = waiting.get(address);
    const removed = end === "first" ? places?.shift() : places?.pop();
    if (places?.length === 0) waiting.delete(address);
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
    // To the end of the line: its other passwords wait until the others have had their turn.
    const rest = waiting.get(next);
    if (rest && waiting.delete(next)) waiting.set(next, rest);
    running += 1;
    job?.start();
  }

  return {
    /** Whether a password from this address would be refused now: asked before anything that costs. */
    refuseIfFull(address: string): void {
      if (waitingCount >= waitingMax && addressToDisplace(address) === undefined) throw full(address);
    },

    /** Does the work when its turn comes; rejects with 429 when there is no place to wait. */
    async run<T>(address: string, work: () => Promise<T>): Promise<T> {
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
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },

    /** A log-in from this address failed: others go first for a while. */
    failed,
  };
}
