import { LRUCache } from "lru-cache";
import type { Logger } from "../telemetry/logger.ts";

const POLL_EVERY_MS = 1_000;
/** A write that began earlier may become visible later, so each poll reaches back this far. */
const OVERLAP_MS = 5_000;
/** Ids of at most 64 bytes: 2 MB. */
const KNOWN_MAX = 10_000;

export interface EndedSessionsPage {
  sessions: { session_id: string }[];
  /** Where the next page begins. */
  until: string;
  has_more: boolean;
}

export interface EndedSessionsOptions {
  /** Asks the owner of sessions for those that ended since a moment. */
  fetchPage: (since: string | undefined) => Promise<EndedSessionsPage>;
  /** Called once for each ended session. */
  onEnded: (sessionId: string) => void;
  logger: Logger;
}

/**
 * Polls the owner of sessions for ended sessions. The event on the bus is faster, but the owner may crash before it publishes, and
 * Redis may be away.
 */
export function pollEndedSessions({ fetchPage, onEnded, logger }: EndedSessionsOptions) {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  let since: string | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    try {
      let from = since && new Date(Date.parse(since) - OVERLAP_MS).toISOString();
      for (let hasMore = true; hasMore && !isClosed; ) {
        const page = await fetchPage(from);
        for (const { session_id } of page.sessions) {
          if (known.has(session_id)) continue;
          known.set(session_id, true);
          onEnded(session_id);
        }
        // A page that reached back and found nothing new must not move the cursor back.
        since = since !== undefined && page.until < since ? since : page.until;
        from = page.until;
        hasMore = page.has_more;
      }
    } catch (err) {
      logger.debug({ err }, "ended sessions not polled, retrying");
    }
    if (!isClosed) timer = setTimeout(poll, POLL_EVERY_MS).unref();
  }
  void poll();

  return {
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
