import { SESSIONS_CHANNEL, type SessionEvent, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { Publish } from "@messageoh/service-kit/redis";
import { type FriendshipRow, toThreadMembers } from "./friends/friendship.model.ts";

export type Events = ReturnType<typeof createEvents>;

/** What this service tells the others. svc-realtime brings it to the browsers of the users concerned. */
export function createEvents(publish: Publish) {
  return {
    /** Each of the two learns of the other; a client that died after its call changes nothing about that. */
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

    userUpdated(user: User, concerned: string[], request_id: string): void {
      const event: UserEvent = { type: "user_updated", user, request_id };
      publish(concerned.map((userId) => [userChannel(userId), event] as const));
    },

    sessionsEnded(sessionIds: readonly string[], user_id: string, request_id: string): void {
      const event = (session_id: string): SessionEvent => ({ type: "session_ended", session_id, user_id, request_id });
      publish(sessionIds.map((id) => [SESSIONS_CHANNEL, event(id)] as const));
    },
  };
}
