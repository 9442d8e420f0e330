import type { Message } from "@messageoh/contracts/messages";
import type { ServerPayload } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

export interface MessageTarget {
  /** Only sockets connected by this time of the monotonic clock get the message: later ones fetched it. */
  connectedBy?: number | undefined;
  /** Id of a socket that does not get the message. */
  exceptSocket?: string | undefined;
}

/** Emits to the sockets of a user on this instance. */
export function createUserSockets(io: RealtimeServer) {
  const idsOf = (userId: string) => io.sockets.adapter.rooms.get(userRoom(userId));
  const socketsOf = (userId: string): RealtimeSocket[] =>
    [...(idsOf(userId) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

  return {
    /** Returns whether the user has this socket here and no other. */
    isOnlySocket(userId: string, socketId: string): boolean {
      const ids = idsOf(userId);
      return ids?.size === 1 && ids.has(socketId);
    },

    /** Emits a message. Returns whether a socket got it. */
    emitMessage(userId: string, message: Message, { connectedBy = Infinity, exceptSocket }: MessageTarget): boolean {
      const sockets = socketsOf(userId).filter(
        ({ id, data }) => data.connectedAt <= connectedBy && id !== exceptSocket,
      );
      for (const socket of sockets) socket.emit("receive_message", message);
      return sockets.length > 0;
    },

    /** Announces a new friend, once per socket: svc-users and the friend's client both send the event. */
    announceFriend(userId: string, payload: ServerPayload<"received_add_new_friend">): void {
      for (const socket of socketsOf(userId)) {
        if (socket.data.announcedFriends.has(payload.current_user.id)) continue;
        socket.data.announcedFriends.add(payload.current_user.id);
        socket.emit("received_add_new_friend", payload);
      }
    },

    /** Tells a user that a friendship has ended. The friend can be announced again afterwards. */
    removeFriend(userId: string, payload: ServerPayload<"friend_removed">): void {
      for (const socket of socketsOf(userId)) {
        socket.data.announcedFriends.delete(payload.user_id);
        socket.data.friends.delete(payload.thread_id);
        socket.emit("friend_removed", payload);
      }
    },

    /** Tells a user which flags the user has set for a friend on another device. */
    changeFriend(userId: string, payload: ServerPayload<"friend_changed">): void {
      io.local.to(userRoom(userId)).emit("friend_changed", payload);
    },

    /** Tells a user about a changed profile: the user's own or a friend's. */
    updateProfile(userId: string, user: User): void {
      for (const socket of socketsOf(userId)) {
        if (socket.data.user.id === user.id) socket.data.user = user;
      }
      io.local.to(userRoom(userId)).emit("user_updated", { user });
    },

    emitMarker(
      userId: string,
      event: "message_read" | "message_delivered",
      payload: ServerPayload<"message_read">,
    ): void {
      io.local.to(userRoom(userId)).emit(event, payload);
    },
  };
}
