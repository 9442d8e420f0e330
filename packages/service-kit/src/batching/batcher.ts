import { Gauge, Histogram } from "../telemetry/metrics.ts";
import { createRetryPlaces } from "./retryPlaces.ts";

const waitingOf = new Map<string, () => number>();
new Gauge({
  name: "messageoh_batcher_waiting_items",
  help: "Items that wait for their result",
  labelNames: ["batcher"],
  collect() {
    for (const [batcher, waiting] of waitingOf) this.set({ batcher }, waiting());
  },
});
const batchItems = new Histogram({
  name: "messageoh_batcher_batch_items",
  help: "Items per batch",
  labelNames: ["batcher"],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});

const RETRY_FIRST_MS = 40;
const RETRY_MAX_MS = 2_000;

/** The outcome of an item that is to be run again, after a backoff. */
export const RETRY = Symbol("retry");

/** The outcome of an item that is given up, and with it all that wait behind it under its key. */
export const GIVE_UP = Symbol("give up");

/** Why an item got no result: there was no room for it, or it was given up. */
export class BatcherBusy extends Error {}

interface BatcherLimits {
  batchItems: number;
  batchBytes: number;
  /** Items of one key in one batch: a busy key leaves room for the others. */
  keyItems?: number;
  /** Items of one key that may wait: a key that does not move on leaves room for the others. */
  keyWaitingItems?: number;
  /** Items that may wait, those in running batches included. Retried ones may take half of this and of the bytes. */
  waitingItems?: number;
  waitingBytes?: number;
  /** Batches of one lane that may run at the same time. */
  running?: number;
  /**
   * Items that must wait for each running batch before another one starts; at least as many as the last batch held, so
   * that pressure makes batches larger and not more.
   */
  itemsPerRunning?: number;
  /** Milliseconds that an idle lane waits for more items before a batch starts; without it a batch starts at once. */
  lingerMs?: number;
  /** Milliseconds after which an item is given up, and with it all that wait behind it under its key. */
  waitMs: number;
}
const DEFAULT_LIMITS = {
  keyItems: 64,
  keyWaitingItems: 1_000,
  waitingItems: 5_000,
  waitingBytes: 32_000_000,
  running: 4,
  itemsPerRunning: 2,
};

export interface BatcherOptions<Item, Result> {
  /** Names the batcher in the metrics. */
  name: string;
  /** Items of one key keep their order and are never in two batches at once. */
  keyOf: (item: Item) => string;
  /** Whose item it is: retried items of one owner leave room for those of others. */
  ownerOf: (item: Item) => string;
  /** Size of an item in bytes. */
  bytesOf: (item: Item) => number;
  /**
   * Names the lane of a key, asked each time the key becomes ready. Lanes do not wait for each other.
   * @param attempts failed attempts of the key's first item
   */
  laneOf?: (key: string, attempts: number) => string;
  /** Runs one batch. Returns one outcome per item; if it rejects, all of them are to be retried. */
  run: (items: Item[], lane: string) => Promise<(Result | typeof RETRY | typeof GIVE_UP)[]>;
  limits: BatcherLimits;
}

interface Waiting<Item, Result> {
  item: Item;
  owner: string;
  bytes: number;
  since: number;
  /** Whether it has a place among the retried items. */
  isRetried: boolean;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}
interface Line<Item, Result> {
  key: string;
  items: Waiting<Item, Result>[];
  attempts: number;
  /** Where it waits for a batch; undefined while it runs or backs off. */
  lane: Lane<Item, Result> | undefined;
}
interface Lane<Item, Result> {
  name: string;
  ready: Set<Line<Item, Result>>;
  readyItems: number;
  running: number;
  /** Items of the last batch. */
  lastItems: number;
  isScheduled: boolean;
}

export type Batcher<Item, Result> = ReturnType<typeof createBatcher<Item, Result>>;

/**
 * Collects items into batches. An idle lane runs an item at once; while its batches run, further items collect. Keys do
 * not wait for each other's retries: a key whose item is to be retried backs off alone, with jitter.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { name, keyOf, ownerOf, bytesOf, laneOf = () => "", run } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const retryPlaces = createRetryPlaces(limits);
  const lines = new Map<string, Line<Item, Result>>();
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

  function makeReady(line: Line<Item, Result>): void {
    const laneName = laneOf(line.key, line.attempts);
    let lane = lanes.get(laneName);
    if (!lane) {
      lane = { name: laneName, ready: new Set(), readyItems: 0, running: 0, lastItems: 0, isScheduled: false };
      lanes.set(laneName, lane);
    }
    line.lane = lane;
    lane.ready.add(line);
    lane.readyItems += line.items.length;
    schedule(lane);
  }

  function leaveLane(line: Line<Item, Result>): void {
    if (!line.lane) return;
    line.lane.ready.delete(line);
    line.lane.readyItems -= line.items.length;
    line.lane = undefined;
  }

  /** Items that arrive in the same turn of the event loop share a batch. */
  function schedule(lane: Lane<Item, Result>): void {
    if (lane.isScheduled) return;
    lane.isScheduled = true;
    const soon = limits.lingerMs ? (start: () => void) => setTimeout(start, limits.lingerMs) : setImmediate;
    soon(() => {
      lane.isScheduled = false;
      while (mayStart(lane)) void start(lane);
      if (lane.ready.size === 0 && lane.running === 0) lanes.delete(lane.name);
    });
  }

  function mayStart({ ready, readyItems, running, lastItems }: Lane<Item, Result>): boolean {
    if (ready.size === 0 || running >= limits.running) return false;
    return running === 0 || readyItems >= running * Math.max(limits.itemsPerRunning, lastItems);
  }

  /** Removes the next batch from a lane: some items of each key in turn. */
  function take(lane: Lane<Item, Result>) {
    const parts: { line: Line<Item, Result>; taken: Waiting<Item, Result>[] }[] = [];
    let room = limits.batchItems;
    let roomBytes = limits.batchBytes;
    for (const line of lane.ready) {
      if (giveUpLate(line)) continue;
      let fit = 0;
      for (const waiting of line.items.slice(0, Math.min(limits.keyItems, room))) {
        // A batch takes its first item whatever the size.
        if (waiting.bytes > roomBytes && parts.length + fit > 0) break;
        roomBytes -= waiting.bytes;
        fit += 1;
      }
      if (fit === 0) break;
      leaveLane(line);
      parts.push({ line, taken: line.items.splice(0, fit) });
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
    for (const { line, taken } of parts) {
      settle(line, taken, outcomes.slice(index, index + taken.length));
      index += taken.length;
    }
    schedule(lane);
  }

  function settle(
    line: Line<Item, Result>,
    taken: Waiting<Item, Result>[],
    outcomes: (Result | typeof RETRY | typeof GIVE_UP | undefined)[],
  ): void {
    const again: Waiting<Item, Result>[] = [];
    for (const [index, waiting] of taken.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome === RETRY || outcome === GIVE_UP) {
        again.push(waiting);
        continue;
      }
      count(waiting, -1);
      waiting.resolve(outcome);
    }
    line.items.unshift(...again);
    if (outcomes.includes(GIVE_UP)) {
      giveUp(line, "Given up");
      return;
    }
    line.attempts = again.length > 0 ? line.attempts + 1 : 0;
    if (line.attempts > 0) boundRetried(line);
    if (line.items.length === 0) {
      lines.delete(line.key);
    } else if (line.attempts === 0) {
      makeReady(line);
    } else if (!giveUpLate(line)) {
      const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** (line.attempts - 1), RETRY_MAX_MS);
      setTimeout(() => makeReady(line), backoffMs * (0.5 + Math.random() / 2)).unref();
    }
  }

  /** Gives up the items of a retried key that find no place, and what their owners added behind them. */
  function boundRetried(line: Line<Item, Result>): void {
    const refused = new Set<string>();
    line.items = line.items.filter((waiting) => {
      if (!refused.has(waiting.owner) && (waiting.isRetried || retryPlaces.take(waiting))) {
        waiting.isRetried = true;
        return true;
      }
      refused.add(waiting.owner);
      refuse(waiting, "Too much is retried");
      return false;
    });
  }

  function giveUpLate(line: Line<Item, Result>): boolean {
    const [first] = line.items;
    if (!first || first.since + limits.waitMs > Date.now()) return false;
    giveUp(line, "Waited for too long");
    return true;
  }

  /** Later items of a key must not overtake one that is given up, so they are given up with it. */
  function giveUp(line: Line<Item, Result>, reason: string): void {
    leaveLane(line);
    lines.delete(line.key);
    for (const waiting of line.items.splice(0)) refuse(waiting, reason);
  }

  return {
    /** Resolves with the item's result. Rejects with {@link BatcherBusy} if too much waits or the item is given up. */
    add(item: Item): Promise<Result> {
      const key = keyOf(item);
      const line = lines.get(key);
      const [owner, size] = [ownerOf(item), bytesOf(item)];
      const isKeyFull = line !== undefined && line.items.length >= limits.keyWaitingItems;
      // Whatever the size of the item, so that a small one does not overtake a refused one of its key.
      if (isKeyFull || items >= limits.waitingItems || bytes >= limits.waitingBytes) {
        return Promise.reject(new BatcherBusy("Too much waits"));
      }
      const isRetried = line !== undefined && line.attempts > 0;
      if (isRetried && !retryPlaces.take({ owner, bytes: size })) {
        return Promise.reject(new BatcherBusy("Too much is retried"));
      }
      return new Promise((resolve, reject) => {
        const waiting = { item, owner, bytes: size, since: Date.now(), isRetried, resolve, reject };
        count(waiting, 1);
        if (!line) {
          const created = { key, items: [waiting], attempts: 0, lane: undefined };
          lines.set(key, created);
          makeReady(created);
          return;
        }
        line.items.push(waiting);
        if (!line.lane) return;
        line.lane.readyItems += 1;
        schedule(line.lane);
      });
    },

    /** Asks for the lane of every waiting key again. */
    reroute(): void {
      for (const line of lines.values()) {
        const { lane } = line;
        if (!lane) continue;
        leaveLane(line);
        makeReady(line);
        schedule(lane);
      }
    },

    /** Whether every item has its result. */
    isIdle: () => items === 0,
  };
}
