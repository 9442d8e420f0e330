import { friendshipEvent } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import { listFriendshipChanges } from "@messageoh/contracts/users";
import { pollFriendshipChanges } from "@messageoh/service-kit/friendshipChanges";
import type { Logger } from "@messageoh/service-kit/logger";

export interface ChangedThreadsOptions {
  callUsers: Call;
  /** Forgets a thread and the lists of its users, so that their next use looks them up again. */
  forgetThread: (threadId: string, userIds: readonly string[]) => void;
  logger: Logger;
}

/** Forgets the threads of friendships that begin or end. It learns of them from the bus and by polling svc-users. */
export function forgetChangedThreads({ callUsers, forgetThread, logger }: ChangedThreadsOptions) {
  const feed = pollFriendshipChanges({
    fetchPage: (since) => callUsers(listFriendshipChanges, { body: { since } }),
    onChange: ({ thread_id, user_ids }) => forgetThread(thread_id, user_ids),
    logger,
  });
  return {
    /** Applies an event that the bus delivered, as JSON. */
    handle: (event: string): void => feed.handle(friendshipEvent.parse(JSON.parse(event)).change),
    close: feed.close,
  };
}
