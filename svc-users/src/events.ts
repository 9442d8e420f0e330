import {
  type AccessEvent,
  FRIENDSHIPS_CHANNEL,
  SESSIONS_CHANNEL,
  type UserEvent,
  userChannel,
} from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { Publish } from "@messageoh/service-kit/publish";
import {
  type FriendshipModel,
  type FriendshipRow,
  flagsOf,
  otherMember,
  type PairRow,
  toChange,
  toThreadMembers,
} from "./friends/friendship.model.ts";
import { toUser, type UserRow } from "./users/user.model.ts";

export type Events = ReturnType<typeof createEvents>;

/**
 * Returns the functions that publish this service's events. svc-realtime delivers them to the browsers of the users.
 */
export function createEvents(publish: Publish, friendships: FriendshipModel) {
  return {
    /**
     * Publishes to both users, so that neither depends on the client that made the call, and before that to the
     * services, from which their browsers then request the thread.
     */
    friendAdded(friendship: FriendshipRow, adder: User, friend: User, request_id: string): void {
      this.friendshipChanged(friendship, request_id);
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
      // A user may have muted the other in an earlier friendship.
      for (const [user, other] of [[friend, adder] as const, [adder, friend] as const]) {
        const flags = flagsOf(friendship, user.id);
        if (Object.keys(flags).length > 0) this.friendChanged(user.id, other.id, flags, request_id);
      }
    },

    /** Publishes the beginning or the end of a friendship to all services that cache friendships. */
    friendshipChanged(pair: PairRow, request_id: string): void {
      const event: AccessEvent = { type: "friendship_changed", change: toChange(pair), request_id };
      publish([[FRIENDSHIPS_CHANNEL, event]]);
    },

    /** Publishes the flags of a friend to the devices of the user who set them. */
    friendChanged(
      userId: string,
      friend_id: string,
      { is_muted = false, has_notice = false }: { is_muted?: boolean; has_notice?: boolean },
      request_id: string,
    ): void {
      const event: UserEvent = { type: "friend_changed", friend_id, is_muted, has_notice, request_id };
      publish([[userChannel(userId), event]]);
    },

    /** Publishes a changed user to the devices of the user and of the user's friends. */
    async userUpdated(row: UserRow, request_id: string): Promise<void> {
      const rows = await friendships.find({ user_ids: row._id }, { user_ids: 1 }).lean<FriendshipRow[]>();
      const friendIds = rows.map((friendship) => otherMember(friendship, row._id));
      const event: UserEvent = { type: "user_updated", user: toUser(row), request_id };
      publish([row._id, ...friendIds].map((userId) => [userChannel(userId), event] as const));
    },

    sessionsEnded(sessionIds: readonly string[], user_id: string, request_id: string): void {
      const event = (session_id: string): AccessEvent => ({ type: "session_ended", session_id, user_id, request_id });
      publish(sessionIds.map((id) => [SESSIONS_CHANNEL, event(id)] as const));
    },
  };
}
