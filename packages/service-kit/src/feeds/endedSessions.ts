import type { Call } from "@messageoh/contracts/client";
import { listEndedSessions } from "@messageoh/contracts/internal/users";
import type { Logger } from "../telemetry/logger.ts";
import { pollFeed } from "./pollFeed.ts";

/**
 * Polls svc-users for ended sessions; see {@link pollFeed}.
 * @param onEnded called once for each ended session
 */
export const pollEndedSessions = (
  callUsers: Call,
  onEnded: (sessionId: string, userId: string) => void,
  logger: Logger,
) =>
  pollFeed({
    name: "ended sessions",
    async fetchPage(since) {
      const { sessions, until, has_more } = await callUsers(listEndedSessions, { body: { since } });
      return { items: sessions, until, has_more };
    },
    keyOf: ({ session_id }) => session_id,
    onItem: ({ session_id, user_id }) => onEnded(session_id, user_id),
    logger,
  });
