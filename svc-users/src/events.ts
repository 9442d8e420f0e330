import { SESSIONS_CHANNEL, type SessionEvent, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { Publish } from "@messageoh/service-kit/redis";
import { type FriendshipRow, toThreadMembers } from "./friends/friendship.model.ts";

export type Events = ReturnType<typeof createEvents>;

/** Returns the functions that publish this service's events. svc-realtime delivers them to the browsers of the users. */
export function createEvents(publish: Publish) {
  return {
    /** Publishes to both users, so that neither depends on the client that made the call. */
    friendAdded(friendship: FriendshipRow, adder: User, friend: User, request_id: string): void {
      const starting = startingMessage(toThreadMembers(friendship), adder.id, friend.id);
      const event = (other: User): UserEvent => ({
        type: "friend_added",
        friend: other,
        message_thread: newMessageThread(starting, other),
        request_id,
      });
      publish([
        [userChannel(friend.id), event(adder)],
        [userChannel(adder.id), event(friend)],
      ]);
    },

    userUpdated(user: User, recipients: string[], request_id: string): void {
      const event: UserEvent = { type: "user_updated", user, request_id };
      publish(recipients.map((userId) => [userChannel(userId), event] as const));
    },

    sessionsEnded(sessionIds: readonly string[], user_id: string, request_id: string): void {
      const event = (session_id: string): SessionEvent => ({ type: "session_ended", session_id, user_id, request_id });
      publish(sessionIds.map((id) => [SESSIONS_CHANNEL, event(id)] as const));
    },
  };
}
