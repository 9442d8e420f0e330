import type { ServerEventName, ServerPayload, ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

/** Returns the sockets of a user on this instance. */
export const socketsOf = (io: RealtimeServer, userId: string): RealtimeSocket[] =>
  [...(io.sockets.adapter.rooms.get(userRoom(userId)) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

/** Emits events other than messages to the sockets of a user on this instance. */
export function createUserSockets(io: RealtimeServer) {
  return {
    /** Announces a new friend, once per socket: svc-users and the friend's client both send the event. */
    announceFriend(userId: string, payload: ServerPayload<"received_add_new_friend">): void {
      for (const socket of socketsOf(io, userId)) {
        if (socket.data.announcedFriends.has(payload.current_user.id)) continue;
        socket.data.announcedFriends.add(payload.current_user.id);
        socket.emit("received_add_new_friend", payload);
      }
    },

    /** Tells a user about a changed profile: the user's own or a friend's. */
    updateProfile(userId: string, user: User): void {
      for (const socket of socketsOf(io, userId)) {
        if (socket.data.user.id === user.id) socket.data.user = user;
      }
      io.local.to(userRoom(userId)).emit("user_updated", { user });
    },

    /** Emits any other event to a user. */
    emit<Name extends ServerEventName>(userId: string, name: Name, payload: ServerPayload<Name>): void {
      const args = [payload] as unknown as Parameters<ServerToClientEvents[Name]>;
      io.local.to(userRoom(userId)).emit(name, ...args);
    },
  };
}
