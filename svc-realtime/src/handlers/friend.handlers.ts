import { type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { Publish } from "@messageoh/service-kit/publish";
import type { Presence } from "../presence/presence.ts";
import type { RealtimeSocket } from "../types.ts";
import { friendIn } from "./access.ts";
import type { Friendships } from "./friendships.ts";
import { type OnEventDeps, onEvent } from "./onEvent.ts";

export interface FriendHandlerDeps extends OnEventDeps {
  friendships: Friendships;
  presence: Presence;
  publish: Publish;
}

/** Registers the handlers for rooms and friendships on a socket. */
export function registerFriendHandlers(socket: RealtimeSocket, deps: FriendHandlerDeps): void {
  const { friendships, presence, publish } = deps;
  const { user } = socket.data;

  // The socket joined the user's room in the handshake, so a permitted event needs no further action.
  onEvent(socket, "join_add_friend_room", deps, () => ({}));

  onEvent(
    socket,
    "join_room",
    deps,
    async (pair, { granted: thread }) => {
      socket.data.friends.set(thread.thread_id, friendIn(pair, user.id));
      await presence.introduce(socket, thread.thread_id);
      return {};
    },
    () => friendships.whenCached(user.id),
  );

  // svc-users publishes the same event. This one reaches a friend who connected in between; delivery deduplicates per
  // socket.
  onEvent(socket, "add_friend", deps, ({ new_friend_id }, { granted: thread, requestId }) => {
    // The profile may have changed since the socket connected.
    const friend = socket.data.user;
    const event: UserEvent = {
      type: "friend_added",
      friend,
      message_thread: newMessageThread(startingMessage(thread, friend.id, new_friend_id), friend),
      request_id: requestId,
    };
    publish([[userChannel(new_friend_id), event]]);
    return {};
  });
}
