import { pollFeed } from "../feeds/pollFeed.ts";
import type { Logger } from "../telemetry/logger.ts";

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

/** Polls the owner of sessions for ended sessions; see {@link pollFeed}. */
export const pollEndedSessions = ({ fetchPage, onEnded, logger }: EndedSessionsOptions) =>
  pollFeed({
    name: "ended sessions",
    async fetchPage(since) {
      const { sessions, until, has_more } = await fetchPage(since);
      return { items: sessions, until, has_more };
    },
    keyOf: ({ session_id }) => session_id,
    onItem: ({ session_id, user_id }) => onEnded(session_id, user_id),
    logger,
  });
