import type { Redis } from "@messageoh/service-kit/redis";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { createLastSeen } from "./lastSeen.ts";
import { createOnlineUsers } from "./onlineUsers.ts";

const HEARTBEAT_MS = 20_000;
/** Longer than two heartbeats, so that one failed write does not make a user offline. */
const ENTRY_MS = 50_000;
/**
 * At most 50 departures per second are announced. If many clients lose their connections together, most are back before
 * their departure is announced.
 */
const SWEEP_MS = 200;
const DEPARTURES_PER_SWEEP = 10;
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
  at: Date;
  /** Time of the monotonic clock. */
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
  const announce = (friendId: string, user_id: string, is_online: boolean, last_seen_at?: string) =>
    io.to(userRoom(friendId)).emit("presence", { user_id, is_online, last_seen_at });

  function heartbeat(): void {
    // A failed write is ignored: the next heartbeat repeats it.
    for (const userId of [...localUsers(), ...departures.keys()]) online.add(userId).catch(() => {});
  }
  const heartbeats = setInterval(heartbeat, HEARTBEAT_MS).unref();

  /** Plans the announcement of a departure, also to the friends of an earlier one that is not announced yet. */
  function plan(userId: string, friendIds: Iterable<string>, at: Date): void {
    const earlier = departures.get(userId)?.friendIds ?? [];
    departures.delete(userId);
    departures.set(userId, {
      friendIds: [...new Set([...earlier, ...friendIds])],
      at,
      dueAt: performance.now() + offlineAfterMs,
    });
  }

  async function depart(userId: string, { friendIds, at }: Departure): Promise<void> {
    const isOffline = await online.remove(userId).catch(() => null);
    // Without Redis, nobody can be told. The friends would see the user online for good.
    if (isOffline === null) return plan(userId, friendIds, at);
    if (!isOffline) return;
    const lastSeenAt = at.toISOString();
    lastSeen.write(userId, lastSeenAt);
    for (const friendId of friendIds) announce(friendId, userId, false, lastSeenAt);
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    let left = DEPARTURES_PER_SWEEP;
    for (const [userId, departure] of departures) {
      // The map is in the order of the times.
      if (departure.dueAt > now || left === 0) return;
      departures.delete(userId);
      if (isHere(userId)) continue;
      left -= 1;
      void depart(userId, departure);
    }
  }, SWEEP_MS).unref();

  function onConnect({ data }: RealtimeSocket): void {
    data.cameOnline = online.add(data.user.id).catch(() => true);
  }

  /** Tells a socket and a friend of its user about each other. A friend is told only if the user was offline before. */
  async function introduce(socket: RealtimeSocket, friendId: string): Promise<void> {
    const { user, cameOnline } = socket.data;
    const is_online = isHere(friendId) || (await online.has(friendId).catch(() => null));
    // Redis is away. When it is back, `renew` introduces them.
    if (is_online === null) return;
    const last_seen_at = is_online ? undefined : await lastSeen.find(friendId);
    socket.emit("presence", { user_id: friendId, is_online, last_seen_at });
    if (is_online && (await cameOnline)) announce(friendId, user.id, true);
  }

  return {
    /**
     * Writes the entries of all local users again, because Redis may have lost them, and introduces the users to their
     * friends again: one socket after the other, which limits the load.
     */
    async renew(): Promise<void> {
      const sockets = [...io.sockets.sockets.values()];
      for (const socket of sockets) onConnect(socket);
      heartbeat();
      for (const socket of sockets) {
        await Promise.all([...socket.data.friends.values()].map((friendId) => introduce(socket, friendId)));
      }
    },

    onConnect,
    introduce,

    /** Tells the friends later that the user is offline, unless the user has a socket on any instance by then. */
    onDisconnect({ data: { user, friends } }: RealtimeSocket): void {
      if (isClosed || isHere(user.id)) return;
      // A connection that ends before it has named the friends does not replace those of the one before.
      plan(user.id, friends.values(), new Date());
    },

    /** Stops announcing two former friends to each other. */
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
      clearInterval(heartbeats);
      clearInterval(sweep);
      online.expire([...localUsers(), ...departures.keys()], offlineAfterMs).catch(() => {});
    },
  };
}
