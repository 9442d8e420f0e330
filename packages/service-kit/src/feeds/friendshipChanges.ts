import type { Call } from "@messageoh/contracts/client";
import { type FriendshipChange, listFriendshipChanges } from "@messageoh/contracts/internal/users";
import type { Logger } from "../telemetry/logger.ts";
import { pollFeed } from "./pollFeed.ts";

/**
 * Polls svc-users for friendships that began or ended; see {@link pollFeed}.
 * @param onChange called once for each change
 */
export const pollFriendshipChanges = (callUsers: Call, onChange: (change: FriendshipChange) => void, logger: Logger) =>
  pollFeed({
    name: "friendships",
    async fetchPage(since) {
      const { changes, until, has_more } = await callUsers(listFriendshipChanges, { body: { since } });
      return { items: changes, until, has_more };
    },
    keyOf: ({ thread_id, changed_at }) => `${thread_id} ${changed_at}`,
    onItem: onChange,
    logger,
  });
