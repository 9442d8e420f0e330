import type { Call } from "@messageoh/contracts/client";
import { accessChange, type FriendshipChange, listAccessChanges } from "@messageoh/contracts/internal/users";
import { parse } from "@messageoh/contracts/parse";
import { LRUCache } from "lru-cache";
import { atMost } from "../caching/atMost.ts";
import type { Logger } from "../telemetry/logger.ts";
import { pollEvery } from "./pollEvery.ts";

const POLL_EVERY_MS = 1_000;
/** A write may become visible later than one that began after it, so each poll reaches back this far. */
const OVERLAP_MS = 5_000;
/** Keys of at most 100 bytes: 4 MB. */
const KNOWN_MAX = 20_000;

export interface AccessChangeListeners {
  /** Called for each session that ended: at the event, and once when the poll finds it. */
  onSessionEnded: (sessionId: string, userId: string) => void;
  /** Called once for each friendship that began or ended. */
  onFriendshipChange: (change: FriendshipChange) => void;
}

/**
 * Polls svc-users for ended sessions and changed friendships, every second until `close`. The event on the bus is
 * faster, but it is lost if svc-users crashes before it publishes or if Redis is down. After an outage of svc-users,
 * polling continues at its cursor.
 */
export function pollAccessChanges(
  callUsers: Call,
  { onSessionEnded, onFriendshipChange }: AccessChangeListeners,
  logger: Logger,
) {
  const known = new LRUCache<string, true>(atMost(KNOWN_MAX));
  let since: string | undefined;

  function isNew(key: string): boolean {
    const wasKnown = known.has(key);
    known.set(key, true);
    return !wasKnown;
  }

  function changeFriendship(change: FriendshipChange): void {
    if (isNew(`${change.thread_id} ${change.changed_at}`)) onFriendshipChange(change);
  }

  async function readChanges(): Promise<void> {
    let from = since && new Date(Date.parse(since) - OVERLAP_MS).toISOString();
    for (let hasMore = true; hasMore && !poll.isClosed(); ) {
      const { changes, until, has_more } = await callUsers(listAccessChanges, { body: { since: from } });
      for (const item of changes) {
        if (item.type === "friendship_changed") changeFriendship(item.change);
        else if (isNew(item.session_id)) onSessionEnded(item.session_id, item.user_id);
      }
      // A page that only repeats known changes must not move the cursor back.
      since = since !== undefined && until < since ? since : until;
      from = until;
      hasMore = has_more;
    }
  }
  const poll = pollEvery(POLL_EVERY_MS, readChanges, (err) => logger.debug({ err }, "poll of changes failed"));
  poll.start();

  return {
    /**
     * Handles the text of an event on the bus.
     * @throws SyntaxError or InvalidValue if it is not such an event
     */
    hear(text: string): void {
      const event = parse(accessChange, JSON.parse(text));
      // The poll repeats the end of a session: a socket that was connecting may have missed it.
      if (event.type === "session_ended") onSessionEnded(event.session_id, event.user_id);
      else changeFriendship(event.change);
    },
    /** Stops polling. */
    close: poll.close,
  };
}
