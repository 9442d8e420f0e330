import type { RealtimeServer, RealtimeSocket } from "./types.ts";

/**
 * Returns the room of all sockets of a user on all instances. A socket joins it before the client learns that it is
 * connected.
 */
export const userRoom = (userId: string) => `user:${userId}`;

/** Returns the sockets of a user on this instance. */
export const socketsOf = (io: RealtimeServer, userId: string): RealtimeSocket[] =>
  [...(io.sockets.adapter.rooms.get(userRoom(userId)) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);
