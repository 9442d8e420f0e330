import { type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Publish } from "@messageoh/service-kit/redis";
import type { Friendships } from "./friendships.ts";
import { onEvent, Refusal } from "./onEvent.ts";
import type { Presence } from "./presence.ts";
import { pairRoom } from "./rooms.ts";
import type { RealtimeSocket } from "./types.ts";

export interface FriendHandlerDeps {
  friendships: Friendships;
  presence: Presence;
  publish: Publish;
  logger: Logger;
}

const NOT_FRIENDS = "You are not friends";

export function registerFriendHandlers(socket: RealtimeSocket, deps: FriendHandlerDeps): void {
  const { friendships, presence, publish, logger } = deps;
  const { user } = socket.data;

  // The user's own room was joined in the handshake; the event is only checked.
  onEvent(socket, "join_add_friend_room", logger, ({ current_user_id }) => {
    if (current_user_id !== user.id) throw new Refusal("This is not yours");
    return {};
  });

  onEvent(socket, "join_room", logger, async ({ sending_user_id, recipient_user_id }) => {
    if (sending_user_id !== user.id && recipient_user_id !== user.id) throw new Refusal("This is not yours");
    const friendId = sending_user_id === user.id ? recipient_user_id : sending_user_id;
    const thread = await friendships.threadBetween(user.id, friendId);
    if (!thread) throw new Refusal(NOT_FRIENDS);
    await socket.join(pairRoom(thread.thread_id));
    socket.emit("presence", { user_id: friendId, is_online: await presence.isOnline(friendId) });
    socket.to(pairRoom(thread.thread_id)).emit("presence", { user_id: user.id, is_online: true });
    return {};
  });

  // svc-users told the friend already; this repeats it for a friend who connected in between, and each socket hears it once.
  onEvent(socket, "add_friend", logger, async ({ new_friend_id }, { requestId }) => {
    const thread = await friendships.threadBetween(user.id, new_friend_id);
    if (!thread) throw new Refusal(NOT_FRIENDS);
    const event: UserEvent = {
      type: "friend_added",
      friend: user,
      message_thread: newMessageThread(startingMessage(thread, user.id, new_friend_id), user),
      request_id: requestId,
    };
    publish([[userChannel(new_friend_id), event]]);
    return {};
  });
}
