import { FRIENDSHIPS_CHANNEL, SESSIONS_CHANNEL } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import type { Redis } from "../datastores/redis.ts";
import { createSubscriber } from "../datastores/subscriber.ts";
import type { SessionCache } from "../sessions/sessionCache.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type AccessChangeListeners, pollAccessChanges } from "./accessChanges.ts";

interface FollowOptions extends Pick<AccessChangeListeners, "onFriendshipChange"> {
  callUsers: Call;
  /** A connection in subscriber mode. */
  redis: Redis;
  sessions: SessionCache;
  logger: Logger;
}

/**
 * Keeps what a service caches of svc-users up to date, from the bus and by polling. Resolves when the channels are
 * subscribed.
 */
export async function followUsers({ callUsers, redis, sessions, onFriendshipChange, logger }: FollowOptions) {
  const changes = pollAccessChanges(callUsers, { onSessionEnded: sessions.forget, onFriendshipChange }, logger);
  const events = createSubscriber(redis, logger, {
    onEvent: (_, event) => changes.hear(event),
    onRestored: sessions.clear,
  });
  await events.add(SESSIONS_CHANNEL);
  await events.add(FRIENDSHIPS_CHANNEL);
}
