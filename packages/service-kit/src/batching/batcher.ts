import { Gauge, Histogram } from "../telemetry/metrics.ts";
import { createRetryPlaces } from "./retryPlaces.ts";

const waitingOf = new Map<string, () => number>();
new Gauge({
  name: "messageoh_batcher_waiting_items",
  help: "Items without a result: waiting, running or backing off",
  labelNames: ["batcher"],
  collect() {
    for (const [batcher, waiting] of waitingOf) this.set({ batcher }, waiting());
  },
});
const batchItems = new Histogram({
  name: "messageoh_batcher_batch_items",
  help: "Items of one batch",
  labelNames: ["batcher"],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});

/** Items, and bytes, that may wait for a key before its batches are separated from those of other keys. */
const BULK_ITEMS = 8;
const BULK_BYTES = 16_000;
const RETRY_FIRST_MS = 40;
const RETRY_MAX_MS = 2_000;

/** Outcome of an item that the batcher retries after a backoff. */
export const RETRY = Symbol("retry");

/** Outcome of an item that is rejected, together with all items that wait behind it under its key. */
export const GIVE_UP = Symbol("give up");

/** The error of an item without a result: the batcher was full, or it gave the item up. */
export class BatcherBusy extends Error {}

interface BatcherLimits {
  /** Most items of one batch. */
  batchItems: number;
  /** Most bytes of one batch. A single larger item gets a batch of its own. */
  batchBytes: number;
  /** Most items of one key in a batch, so that a busy key leaves room for others (64). */
  keyItems?: number;
  /** Most bytes of one key in a batch (64,000), so that long items of a busy key delay the others little. */
  keyBytes?: number;
  /** Most items of one key that wait, so that a blocked key leaves room for others (1,000). */
  keyWaitingItems?: number;
  /** Most items without a result, running ones included (5,000). Retried items may take half of this. */
  waitingItems?: number;
  /** Most bytes of items without a result (32,000,000). Retried items may take half of this. */
  waitingBytes?: number;
  /** Most batches of one lane that run at the same time (4). */
  running?: number;
  /**
   * Items that must wait for each running batch before another one starts (2). The size of the lane's last batch counts
   * if it is larger, so that load makes batches larger instead of more numerous.
   */
  itemsPerRunning?: number;
  /** Time that an idle lane waits for more items, in milliseconds. Without it, a batch starts at once. */
  lingerMs?: number;
  /** Time after which an item is given up, in milliseconds. All items behind it under its key are given up too. */
  waitMs: number;
}
const DEFAULT_LIMITS = {
  keyItems: 64,
  keyBytes: 64_000,
  keyWaitingItems: 1_000,
  waitingItems: 5_000,
  waitingBytes: 32_000_000,
  running: 4,
  itemsPerRunning: 2,
};

export interface BatcherOptions<Item, Result> {
  /** Name of the batcher in the metrics. */
  name: string;
  /** Returns the key of an item. Items of one key keep their order and are never in two batches at once. */
  keyOf: (item: Item) => string;
  /** Returns the owner of an item. The retried items of one owner are limited, so that they leave room for others. */
  ownerOf: (item: Item) => string;
  /** Returns the size of an item, in bytes. */
  bytesOf: (item: Item) => number;
  /**
   * Returns the lane of a key, each time the key becomes ready. Lanes do not wait for each other.
   * @param attempts failed attempts of the key's first item
   */
  laneOf?: (key: string, attempts: number) => string;
  /** Runs one batch. Resolves with one outcome per item; if it rejects, all items are retried. */
  run: (items: Item[], lane: string) => Promise<(Result | typeof RETRY | typeof GIVE_UP)[]>;
  limits: BatcherLimits;
}

interface Waiting<Item, Result> {
  item: Item;
  owner: string;
  bytes: number;
  /** Time of its arrival by the monotonic clock, in milliseconds. */
  since: number;
  /** Whether it holds a place among the retried items. */
  isRetried: boolean;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}
interface KeyQueue<Item, Result> {
  key: string;
  items: Waiting<Item, Result>[];
  attempts: number;
  /** The lane in which the key waits for a batch; `undefined` while its items run or back off. */
  lane: Lane<Item, Result> | undefined;
}
interface Lane<Item, Result> {
  id: string;
  name: string;
  isBulk: boolean;
  ready: Set<KeyQueue<Item, Result>>;
  readyItems: number;
  running: number;
  /** Number of items of the last batch. */
  lastItems: number;
  isScheduled: boolean;
}

/**
 * Creates a batcher. An idle lane runs an item at once and collects further items while its batches run. A key whose
 * item is retried backs off alone, with exponential backoff and jitter, so keys do not wait for each other's retries.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { name, keyOf, ownerOf, bytesOf, laneOf = () => "", run } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const retryPlaces = createRetryPlaces(limits);
  const queues = new Map<string, KeyQueue<Item, Result>>();
  const lanes = new Map<string, Lane<Item, Result>>();
  let items = 0;
  let bytes = 0;
  waitingOf.set(name, () => items);

  function count(of: Waiting<Item, Result>, sign: 1 | -1): void {
    items += sign;
    bytes += sign * of.bytes;
    if (sign < 0 && of.isRetried) retryPlaces.release(of);
  }

  function refuse(waiting: Waiting<Item, Result>, reason: string): void {
    count(waiting, -1);
    waiting.reject(new BatcherBusy(reason));
  }

  function makeReady(queue: KeyQueue<Item, Result>): void {
    const name = laneOf(queue.key, queue.attempts);
    const isBulk = isBulky(queue);
    const id = isBulk ? `bulk of ${name}` : name;
    let lane = lanes.get(id);
    if (!lane) {
      lane = { id, name, isBulk, ready: new Set(), readyItems: 0, running: 0, lastItems: 0, isScheduled: false };
      lanes.set(id, lane);
    }
    queue.lane = lane;
    lane.ready.add(queue);
    lane.readyItems += queue.items.length;
    schedule(lane);
  }

  /** Returns whether so much of one key waits that single items of other keys must not wait for its batches. */
  function isBulky({ items }: KeyQueue<Item, Result>): boolean {
    if (items.length < 2 || items.length > BULK_ITEMS) return items.length > BULK_ITEMS;
    return items.reduce((sum, waiting) => sum + waiting.bytes, 0) > BULK_BYTES;
  }

  /** Moves the keys of a lane that received many items since they became ready, or whose items were given up. */
  function sortOut(lane: Lane<Item, Result>): void {
    for (const queue of lane.ready) {
      if (isBulky(queue) === lane.isBulk) continue;
      leaveLane(queue);
      makeReady(queue);
    }
  }

  function leaveLane(queue: KeyQueue<Item, Result>): void {
    if (!queue.lane) return;
    queue.lane.ready.delete(queue);
    queue.lane.readyItems -= queue.items.length;
    queue.lane = undefined;
  }

  /** Starts batches later, so that items that arrive in the same turn of the event loop share a batch. */
  function schedule(lane: Lane<Item, Result>): void {
    if (lane.isScheduled) return;
    lane.isScheduled = true;
    const soon = limits.lingerMs ? (start: () => void) => setTimeout(start, limits.lingerMs) : setImmediate;
    soon(() => {
      lane.isScheduled = false;
      sortOut(lane);
      while (mayStart(lane)) void start(lane);
      if (lane.ready.size === 0 && lane.running === 0) lanes.delete(lane.id);
    });
  }

  function mayStart({ ready, readyItems, running, lastItems, isBulk }: Lane<Item, Result>): boolean {
    if (ready.size === 0 || running >= (isBulk ? 1 : limits.running)) return false;
    return running === 0 || readyItems >= running * Math.max(limits.itemsPerRunning, lastItems);
  }

  /** Removes the next batch from a lane: some items of each key, in the order in which the keys became ready. */
  function take(lane: Lane<Item, Result>) {
    const parts: { queue: KeyQueue<Item, Result>; taken: Waiting<Item, Result>[] }[] = [];
    let room = limits.batchItems;
    let roomBytes = limits.batchBytes;
    for (const queue of lane.ready) {
      if (giveUpIfLate(queue)) continue;
      let fit = 0;
      let keyBytes = 0;
      for (const waiting of queue.items.slice(0, Math.min(limits.keyItems, room))) {
        // The first item of a batch, or of a key, may exceed the bytes; otherwise it would never run.
        if (waiting.bytes > roomBytes && parts.length + fit > 0) break;
        if (keyBytes + waiting.bytes > limits.keyBytes && fit > 0) break;
        roomBytes -= waiting.bytes;
        keyBytes += waiting.bytes;
        fit += 1;
      }
      if (fit === 0) break;
      leaveLane(queue);
      parts.push({ queue, taken: queue.items.splice(0, fit) });
      room -= fit;
      if (room === 0) break;
    }
    return parts;
  }

  async function start(lane: Lane<Item, Result>): Promise<void> {
    const parts = take(lane);
    const batch = parts.flatMap(({ taken }) => taken.map(({ item }) => item));
    if (batch.length === 0) return;
    batchItems.observe({ batcher: name }, batch.length);
    lane.running += 1;
    lane.lastItems = batch.length;
    const outcomes = await run(batch, lane.name).catch(() => []);
    lane.running -= 1;
    let index = 0;
    for (const { queue, taken } of parts) {
      settle(queue, taken, outcomes.slice(index, index + taken.length));
      index += taken.length;
    }
    schedule(lane);
  }

  function settle(
    queue: KeyQueue<Item, Result>,
    taken: Waiting<Item, Result>[],
    outcomes: (Result | typeof RETRY | typeof GIVE_UP | undefined)[],
  ): void {
    const retried: Waiting<Item, Result>[] = [];
    for (const [index, waiting] of taken.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome === RETRY || outcome === GIVE_UP) {
        retried.push(waiting);
        continue;
      }
      count(waiting, -1);
      waiting.resolve(outcome);
    }
    queue.items.unshift(...retried);
    if (outcomes.includes(GIVE_UP)) {
      giveUp(queue, "Given up");
      return;
    }
    queue.attempts = retried.length > 0 ? queue.attempts + 1 : 0;
    if (queue.attempts > 0) boundRetried(queue);
    if (queue.items.length === 0) {
      queues.delete(queue.key);
    } else if (queue.attempts === 0) {
      makeReady(queue);
    } else if (!giveUpIfLate(queue)) {
      const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** (queue.attempts - 1), RETRY_MAX_MS);
      setTimeout(() => makeReady(queue), backoffMs * (0.5 + Math.random() / 2)).unref();
    }
  }

  /** Gives up the items of a retried key that get no place, and the items that their owners added behind them. */
  function boundRetried(queue: KeyQueue<Item, Result>): void {
    const refused = new Set<string>();
    queue.items = queue.items.filter((waiting) => {
      if (!refused.has(waiting.owner) && (waiting.isRetried || retryPlaces.take(waiting))) {
        waiting.isRetried = true;
        return true;
      }
      refused.add(waiting.owner);
      refuse(waiting, "Too many retried items");
      return false;
    });
  }

  function giveUpIfLate(queue: KeyQueue<Item, Result>): boolean {
    const [first] = queue.items;
    if (!first || first.since + limits.waitMs > performance.now()) return false;
    giveUp(queue, "Waited too long");
    return true;
  }

  /** Gives up all items of a key, because later ones must not overtake the first. */
  function giveUp(queue: KeyQueue<Item, Result>, reason: string): void {
    leaveLane(queue);
    queues.delete(queue.key);
    for (const waiting of queue.items.splice(0)) refuse(waiting, reason);
  }

  return {
    /**
     * Resolves with the item's result. Rejects with {@link BatcherBusy} if a limit is reached or the item is given up.
     */
    add(item: Item): Promise<Result> {
      const key = keyOf(item);
      const queue = queues.get(key);
      const [owner, size] = [ownerOf(item), bytesOf(item)];
      const isKeyFull = queue !== undefined && queue.items.length >= limits.keyWaitingItems;
      // The size of this item does not count: a small item must not overtake a refused larger one of its key.
      if (isKeyFull || items >= limits.waitingItems || bytes >= limits.waitingBytes) {
        return Promise.reject(new BatcherBusy("Too many waiting items"));
      }
      const isRetried = queue !== undefined && queue.attempts > 0;
      if (isRetried && !retryPlaces.take({ owner, bytes: size })) {
        return Promise.reject(new BatcherBusy("Too many retried items"));
      }
      return new Promise((resolve, reject) => {
        const waiting = { item, owner, bytes: size, since: performance.now(), isRetried, resolve, reject };
        count(waiting, 1);
        if (!queue) {
          const created = { key, items: [waiting], attempts: 0, lane: undefined };
          queues.set(key, created);
          makeReady(created);
          return;
        }
        queue.items.push(waiting);
        if (!queue.lane) return;
        queue.lane.readyItems += 1;
        schedule(queue.lane);
      });
    },

    /** Moves every waiting key to the lane that `laneOf` returns now. Running items stay where they are. */
    reroute(): void {
      for (const queue of queues.values()) {
        const { lane } = queue;
        if (!lane) continue;
        leaveLane(queue);
        makeReady(queue);
        schedule(lane);
      }
    },

    /** Returns whether every item has its result. */
    isIdle: () => items === 0,
  };
}
