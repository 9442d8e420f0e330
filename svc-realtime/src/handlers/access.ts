import type { ClientEventName } from "@messageoh/contracts/realtime";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { pairRoom } from "../rooms.ts";
import type { Payload, RealtimeSocket } from "../types.ts";
import type { Friendships } from "./friendships.ts";
import { Refusal } from "./refusal.ts";

/** What a rule found out on the way, for the handler: the thread of the two friends. */
export type Grant<Name extends ClientEventName> = Name extends "join_room" | "add_friend" ? ThreadMembers : undefined;
type Rule<Name extends ClientEventName> = (
  payload: Payload<Name>,
  socket: RealtimeSocket,
) => Promise<Grant<Name>> | Grant<Name>;
export type Access = { [Name in ClientEventName]: Rule<Name> };

const notYours = () => new Refusal("This is not yours");

/**
 * The one place where this service decides who may send what; an event without a rule does not compile. A rule throws a
 * {@link Refusal}. The user is the session's: whoever has none does not get past the handshake, and whoever loses it
 * loses the socket.
 */
export function createAccess(friendships: Friendships): Access {
  async function threadOfFriends(userId: string, friendId: string): Promise<ThreadMembers> {
    const thread = await friendships.threadBetween(userId, friendId);
    if (!thread) throw new Refusal("You are not friends");
    return thread;
  }

  return {
    // Nothing is told and nothing moves: it ends what was begun for a message that this instance brought.
    join_add_friend_room({ current_user_id }, { data: { user } }) {
      if (current_user_id !== user.id) throw notYours();
    },
    join_room({ sending_user_id, recipient_user_id }, { data: { user } }) {
      if (sending_user_id !== user.id && recipient_user_id !== user.id) throw notYours();
      return threadOfFriends(sending_user_id, recipient_user_id);
    },
    add_friend: ({ new_friend_id }, { data: { user } }) => threadOfFriends(user.id, new_friend_id),
    // svc-messages checks that the two are in the thread; asked here it would cost every message a wait.
    send_message({ sending_user_id }, { data: { user } }) {
      if (sending_user_id !== user.id) throw notYours();
    },
    // svc-messages moves the session's own marker, in a thread that its user is in.
    message_delivered: () => undefined,
    typing({ thread_id }, { rooms }) {
      if (!rooms.has(pairRoom(thread_id))) throw new Refusal("You are not in this thread");
    },
  };
}
