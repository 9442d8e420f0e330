import type { Redis } from "@messageoh/service-kit/redis";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { createLastSeen } from "./lastSeen.ts";
import { createOnlineUsers } from "./onlineUsers.ts";

const HEARTBEAT_MS = 20_000;
/** Longer than two heartbeats, so that one failed write does not make a user offline. */
const ENTRY_MS = 50_000;
const SWEEP_MS = 250;
/**
 * Time from a user's last disconnect to the announcement that the user is offline. A client that reconnects within it
 * announces nothing, so a storm of reconnections costs no announcements.
 */
export const OFFLINE_AFTER_MS = 10_000;

export type Presence = ReturnType<typeof createPresence>;

export interface PresenceOptions {
  io: RealtimeServer;
  redis: Redis;
  /** Unique name of this instance. */
  instance: string;
  /** Returns the users with connections to this instance. */
  localUsers: () => Iterable<string>;
  offlineAfterMs: number;
}

/** A user whose last socket on this instance closed. */
interface Departure {
  friendIds: string[];
  dueAt: number;
}

/**
 * Tracks which users are online on any instance. It announces a change to the rooms of the friends, so only the instances
 * that hold a friend receive it.
 */
export function createPresence({ io, redis, instance, localUsers, offlineAfterMs }: PresenceOptions) {
  const online = createOnlineUsers(redis, instance, ENTRY_MS);
  const lastSeen = createLastSeen(redis);
  const departures = new Map<string, Departure>();
  let isClosed = false;

  const isHere = (userId: string): boolean => io.sockets.adapter.rooms.has(userRoom(userId));
  const isOnline = async (userId: string): Promise<boolean> =>
    isHere(userId) || (await online.has(userId).catch(() => false));

  const announce = (friendId: string, user_id: string, is_online: boolean, last_seen_at?: string) =>
    io.to(userRoom(friendId)).emit("presence", { user_id, is_online, last_seen_at });

  function renew(): void {
    // A failed write is ignored: the next heartbeat repeats it.
    for (const userId of localUsers()) online.add(userId).catch(() => {});
  }
  const heartbeat = setInterval(renew, HEARTBEAT_MS).unref();

  async function depart(userId: string, friendIds: readonly string[]): Promise<void> {
    if (isHere(userId) || !(await online.remove(userId).catch(() => false))) return;
    const at = new Date(Date.now() - offlineAfterMs).toISOString();
    lastSeen.write(userId, at);
    for (const friendId of friendIds) announce(friendId, userId, false, at);
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [userId, { friendIds, dueAt }] of departures) {
      // The map is in the order of the times.
      if (dueAt > now) return;
      departures.delete(userId);
      void depart(userId, friendIds);
    }
  }, SWEEP_MS).unref();

  return {
    /** Writes the entries of all local users again, because Redis may have lost them. */
    renew,

    onConnect(socket: RealtimeSocket): void {
      const { data } = socket;
      data.cameOnline = online.add(data.user.id).catch(() => true);
    },

    /** Tells a socket and a friend of its user about each other. A friend is told only if the user was offline before. */
    async introduce(socket: RealtimeSocket, friendId: string): Promise<void> {
      const { user, cameOnline } = socket.data;
      const is_online = await isOnline(friendId);
      const last_seen_at = is_online ? undefined : await lastSeen.find(friendId);
      socket.emit("presence", { user_id: friendId, is_online, last_seen_at });
      if (is_online && (await cameOnline)) announce(friendId, user.id, true);
    },

    /** Tells the friends later that the user is offline, unless the user has a socket on any instance by then. */
    onDisconnect({ data: { user, friends } }: RealtimeSocket): void {
      if (isClosed || isHere(user.id)) return;
      departures.delete(user.id);
      departures.set(user.id, { friendIds: [...friends.values()], dueAt: performance.now() + offlineAfterMs });
    },

    /** Does not announce two users to each other any more, because they are no longer friends. */
    part(one: string, other: string): void {
      for (const [userId, friendId] of [
        [one, other],
        [other, one],
      ] as const) {
        const departure = departures.get(userId);
        if (departure) departure.friendIds = departure.friendIds.filter((id) => id !== friendId);
      }
    },

    /** Stops announcing, because the clients move to another instance. Users who do not move become offline. */
    close(): void {
      isClosed = true;
      clearInterval(heartbeat);
      clearInterval(sweep);
      online.expire([...localUsers(), ...departures.keys()], offlineAfterMs).catch(() => {});
    },
  };
}
