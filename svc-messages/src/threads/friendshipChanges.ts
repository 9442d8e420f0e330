import { friendshipEvent } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import { listFriendshipChanges } from "@messageoh/contracts/users";
import { pollFriendshipChanges } from "@messageoh/service-kit/friendshipChanges";
import type { Logger } from "@messageoh/service-kit/logger";

export interface FriendshipChangesOptions {
  callUsers: Call;
  /** Forgets a thread, so that its next use looks it up again. */
  forgetThread: (threadId: string) => void;
  logger: Logger;
}

/** Forgets the threads of friendships that end or begin again. It learns of them from the bus and by polling svc-users. */
export function createFriendshipChanges({ callUsers, forgetThread, logger }: FriendshipChangesOptions) {
  const feed = pollFriendshipChanges({
    fetchPage: (since) => callUsers(listFriendshipChanges, { body: { since } }),
    onChange: ({ thread_id }) => forgetThread(thread_id),
    logger,
  });
  return {
    /** Applies an event that the bus delivered, as JSON. */
    handle: (event: string): void => feed.handle(friendshipEvent.parse(JSON.parse(event)).change),
    close: feed.close,
  };
}
