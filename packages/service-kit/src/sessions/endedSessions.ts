import { LRUCache } from "lru-cache";
import type { Logger } from "../telemetry/logger.ts";

const POLL_EVERY_MS = 1_000;
/** A write may become visible later than one that began after it, so each poll reaches back this far. */
const OVERLAP_MS = 5_000;
/** Ids of at most 64 bytes: 2 MB. */
const KNOWN_MAX = 10_000;

/** A page of ended sessions, as svc-users returns it. */
export interface EndedSessionsPage {
  sessions: { session_id: string; user_id: string }[];
  /** Start of the next page, as an ISO timestamp. */
  until: string;
  has_more: boolean;
}

export interface EndedSessionsOptions {
  /** Fetches the sessions that ended since an ISO timestamp, oldest first. */
  fetchPage: (since: string | undefined) => Promise<EndedSessionsPage>;
  /** Called once for each ended session. */
  onEnded: (sessionId: string, userId: string) => void;
  logger: Logger;
}

/**
 * Polls the owner of sessions for ended sessions, every second until `close`. The event on the bus is faster, but it is
 * lost if the owner crashes before it publishes or if Redis is down.
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
        for (const { session_id, user_id } of page.sessions) {
          if (known.has(session_id)) continue;
          known.set(session_id, true);
          onEnded(session_id, user_id);
        }
        // A page that reached back and found nothing new must not move the cursor back.
        since = since !== undefined && page.until < since ? since : page.until;
        from = page.until;
        hasMore = page.has_more;
      }
    } catch (err) {
      logger.debug({ err }, "poll of ended sessions failed");
    }
    if (!isClosed) timer = setTimeout(poll, POLL_EVERY_MS).unref();
  }
  void poll();

  return {
    /** Stops polling. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
