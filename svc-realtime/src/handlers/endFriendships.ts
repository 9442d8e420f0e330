import type { FriendshipChange } from "@messageoh/contracts/internal/users";
import type { ServerPayload } from "@messageoh/contracts/realtime";
import type { Presence } from "../presence/presence.ts";
import { socketsOf } from "../rooms.ts";
import type { RealtimeServer } from "../types.ts";
import type { Friendships } from "./friendships.ts";

export interface EndFriendshipsOptions {
  io: RealtimeServer;
  friendships: Friendships;
  presence: () => Pick<Presence, "part">;
}

/**
 * Ends friendships on this instance: forgets the cached friendship, removes each user from the friends of the other's
 * sockets, which ends typing and presence, and tells both users if their sockets know each other as friends. Changes
 * come from the bus and from polling svc-users.
 */
export function endFriendships({ io, friendships, presence }: EndFriendshipsOptions) {
  function apply({ thread_id, user_ids, is_friends }: FriendshipChange): void {
    friendships.forget(user_ids);
    if (is_friends) return;
    const [one, other] = user_ids;
    presence().part(thread_id, user_ids);
    remove(one, { user_id: other, thread_id });
    remove(other, { user_id: one, thread_id });
  }

  /**
   * Tells a user only what one of the user's sockets knows: a block must not tell a stranger who blocked. The friend
   * can be announced again afterwards.
   */
  function remove(userId: string, friend: ServerPayload<"friend_removed">): void {
    const { thread_id, user_id } = friend;
    const sockets = socketsOf(io, userId);
    if (!sockets.some(({ data }) => data.friends.has(thread_id) || data.announcedFriends.has(user_id))) return;
    for (const socket of sockets) {
      socket.data.friends.delete(thread_id);
      socket.data.announcedFriends.delete(user_id);
      socket.emit("friend_removed", friend);
    }
  }

  return apply;
}
