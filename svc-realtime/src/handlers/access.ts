import { NOT_YOURS } from "@messageoh/contracts/errorTexts";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { ClientEventName } from "@messageoh/contracts/realtime";
import { Refusal } from "../refusal.ts";
import type { Payload, RealtimeSocket } from "../types.ts";
import type { Friendships } from "./friendships.ts";

/**
 * The result of a rule, which the handler receives: the thread of the two friends, for the events that name a friend.
 */
export type Grant<Name extends ClientEventName> = Name extends "join_room" | "add_friend" ? ThreadMembers : undefined;
type Rule<Name extends ClientEventName> = (
  payload: Payload<Name>,
  socket: RealtimeSocket,
) => Promise<Grant<Name>> | Grant<Name>;
export type Access = { [Name in ClientEventName]: Rule<Name> };

/** Returns the friend whose room a user joins. The payload names the user first or second. */
export const friendIn = ({ sending_user_id, recipient_user_id }: Payload<"join_room">, userId: string): string =>
  sending_user_id === userId ? recipient_user_id : sending_user_id;

const notYours = () => new Refusal(NOT_YOURS);

/**
 * Creates the authorisation rules: one per event, and an event without a rule does not compile. A rule throws a
 * {@link Refusal} if the user of the socket's session may not send the event. Sockets without a session do not exist:
 * the handshake rejects them, and a session that ends closes its sockets.
 */
export function createAccess(friendships: Friendships): Access {
  async function threadOfFriends(userId: string, friendId: string): Promise<ThreadMembers> {
    const thread = await friendships.threadBetween(userId, friendId);
    if (!thread) throw new Refusal("You are not friends");
    return thread;
  }

  return {
    join_add_friend_room({ current_user_id }, { data: { user } }) {
      if (current_user_id !== user.id) throw notYours();
    },
    join_room(pair, { data: { user } }) {
      if (pair.sending_user_id !== user.id && pair.recipient_user_id !== user.id) throw notYours();
      return threadOfFriends(user.id, friendIn(pair, user.id));
    },
    add_friend: ({ new_friend_id }, { data: { user } }) => threadOfFriends(user.id, new_friend_id),
    // svc-messages checks that both users are members of the thread. A check here would delay every message.
    send_message({ sending_user_id }, { data: { user } }) {
      if (sending_user_id !== user.id) throw notYours();
    },
    // svc-messages checks it too, but invented thread ids would cost it a lookup each.
    async message_delivered({ thread_id }, { data: { user, friends } }) {
      if (friends.has(thread_id) || (await friendships.threadOf(user.id, thread_id))) return undefined;
      throw notYours();
    },
    typing({ thread_id }, { data: { friends } }) {
      if (!friends.has(thread_id)) throw new Refusal("You are not in this thread");
    },
  };
}
