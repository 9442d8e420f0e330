import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

/** Returns the sockets of a user on this instance. */
export const socketsOf = (io: RealtimeServer, userId: string): RealtimeSocket[] =>
  [...(io.sockets.adapter.rooms.get(userRoom(userId)) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);
