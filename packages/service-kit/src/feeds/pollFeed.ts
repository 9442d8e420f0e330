import { LRUCache } from "lru-cache";
import { atMost } from "../caching/atMost.ts";
import type { Logger } from "../telemetry/logger.ts";

const POLL_EVERY_MS = 1_000;
/** A write may become visible later than one that began after it, so each poll reaches back this far. */
const OVERLAP_MS = 5_000;
/** Keys of at most 100 bytes: 2 MB. */
const KNOWN_MAX = 10_000;

/** A page of a feed of changes. */
interface FeedPage<Item> {
  items: Item[];
  /** Start of the next page, as an ISO timestamp. */
  until: string;
  has_more: boolean;
}

export interface FeedOptions<Item> {
  /** Name of the items in the log. */
  name: string;
  /** Fetches the items since an ISO timestamp, oldest first. */
  fetchPage: (since: string | undefined) => Promise<FeedPage<Item>>;
  /** Returns the identity of an item. */
  keyOf: (item: Item) => string;
  /** Called once for each item. */
  onItem: (item: Item) => void;
  logger: Logger;
}

/**
 * Polls a service for changes, every second until `close`. The event on the bus is faster, but it is lost if the service
 * crashes before it publishes or if Redis is down. After an outage of the service, polling continues at its cursor.
 */
export function pollFeed<Item>({ name, fetchPage, keyOf, onItem, logger }: FeedOptions<Item>) {
  const known = new LRUCache<string, true>(atMost(KNOWN_MAX));
  let since: string | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function handle(item: Item): void {
    const key = keyOf(item);
    if (known.has(key)) return;
    known.set(key, true);
    onItem(item);
  }

  async function poll(): Promise<void> {
    try {
      let from = since && new Date(Date.parse(since) - OVERLAP_MS).toISOString();
      for (let hasMore = true; hasMore && !isClosed; ) {
        const page = await fetchPage(from);
        page.items.forEach(handle);
        // A page that only repeats known items must not move the cursor back.
        since = since !== undefined && page.until < since ? since : page.until;
        from = page.until;
        hasMore = page.has_more;
      }
    } catch (err) {
      logger.debug({ err, feed: name }, "poll of a feed failed");
    }
    if (!isClosed) timer = setTimeout(poll, POLL_EVERY_MS).unref();
  }
  void poll();

  return {
    /** Handles an item that the bus delivered, unless it is known already. */
    handle,
    /** Stops polling. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
