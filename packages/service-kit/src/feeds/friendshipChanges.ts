import type { Logger } from "../telemetry/logger.ts";
import { pollFeed } from "./pollFeed.ts";

export interface FriendshipChangesOptions<Change> {
  /** Fetches the friendships that changed since an ISO timestamp, oldest first. */
  fetchPage: (since: string | undefined) => Promise<{ changes: Change[]; until: string; has_more: boolean }>;
  /** Called once for each change. */
  onChange: (change: Change) => void;
  logger: Logger;
}

/** Polls the owner of friendships for those that began or ended; see {@link pollFeed}. */
export const pollFriendshipChanges = <Change extends { thread_id: string; changed_at: string }>({
  fetchPage,
  onChange,
  logger,
}: FriendshipChangesOptions<Change>) =>
  pollFeed<Change>({
    name: "friendships",
    async fetchPage(since) {
      const { changes, until, has_more } = await fetchPage(since);
      return { items: changes, until, has_more };
    },
    keyOf: ({ thread_id, changed_at }) => `${thread_id} ${changed_at}`,
    onItem: onChange,
    logger,
  });
