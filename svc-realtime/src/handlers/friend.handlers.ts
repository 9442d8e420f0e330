import { type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { Publish } from "@messageoh/service-kit/redis";
import type { Presence } from "../delivery/presence.ts";
import { pairRoom } from "../rooms.ts";
import type { RealtimeSocket } from "../types.ts";
import { type OnEventDeps, onEvent } from "./onEvent.ts";

export interface FriendHandlerDeps extends OnEventDeps {
  presence: Presence;
  publish: Publish;
}

export function registerFriendHandlers(socket: RealtimeSocket, deps: FriendHandlerDeps): void {
  const { presence, publish } = deps;
  const { user } = socket.data;

  // The user's own room was joined in the handshake; the event is only checked.
  onEvent(socket, "join_add_friend_room", deps, () => ({}));

  onEvent(socket, "join_room", deps, async ({ sending_user_id, recipient_user_id }, { granted: thread }) => {
    const friendId = sending_user_id === user.id ? recipient_user_id : sending_user_id;
    await socket.join(pairRoom(thread.thread_id));
    socket.emit("presence", { user_id: friendId, is_online: await presence.isOnline(friendId) });
    socket.to(pairRoom(thread.thread_id)).emit("presence", { user_id: user.id, is_online: true });
    return {};
  });

  // svc-users told the friend already; this repeats it for a friend who connected in between, and each socket hears it once.
  onEvent(socket, "add_friend", deps, ({ new_friend_id }, { granted: thread, requestId }) => {
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
