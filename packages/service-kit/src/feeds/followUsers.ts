import { FRIENDSHIPS_CHANNEL, friendshipEvent, SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import type { Call } from "@messageoh/contracts/client";
import type { FriendshipChange } from "@messageoh/contracts/internal/users";
import { parse } from "@messageoh/contracts/parse";
import type { Redis } from "../datastores/redis.ts";
import { createSubscriber } from "../datastores/subscriber.ts";
import type { SessionCache } from "../sessions/sessionCache.ts";
import type { Logger } from "../telemetry/logger.ts";
import { pollEndedSessions } from "./endedSessions.ts";
import { pollFriendshipChanges } from "./friendshipChanges.ts";

interface FollowOptions {
  callUsers: Call;
  /** A connection in subscriber mode. */
  redis: Redis;
  sessions: SessionCache;
  /** Called once for each friendship that began or ended. */
  onFriendshipChange: (change: FriendshipChange) => void;
  logger: Logger;
}

/**
 * Keeps what a service caches of svc-users up to date, from the bus and by polling. Resolves when the channels are
 * subscribed.
 */
export async function followUsers({ callUsers, redis, sessions, onFriendshipChange, logger }: FollowOptions) {
  const friendships = pollFriendshipChanges(callUsers, onFriendshipChange, logger);
  pollEndedSessions(callUsers, sessions.forget, logger);
  const events = createSubscriber(redis, logger, {
    onEvent(channel, event) {
      if (channel === SESSIONS_CHANNEL) sessions.forget(parse(sessionEvent, JSON.parse(event)).session_id);
      else friendships.handle(parse(friendshipEvent, JSON.parse(event)).change);
    },
    onRestored: sessions.clear,
  });
  await events.add(SESSIONS_CHANNEL);
  await events.add(FRIENDSHIPS_CHANNEL);
}
