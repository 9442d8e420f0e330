import type { Redis } from "@messageoh/service-kit/redis";
import { socketsOf, userRoom } from "../rooms.ts";
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
  /** The friends of the user's closed sockets: thread id to friend id. */
  friends: Map<string, string>;
  at: Date;
  /** Time of the monotonic clock. */
  dueAt: number;
}

/**
 * Tracks which users are online on any instance. It announces a change to the rooms of the friends, so only the
 * instances that hold a friend receive it.
 */
export function createPresence({ io, redis, instance, localUsers, offlineAfterMs }: PresenceOptions) {
  const online = createOnlineUsers(redis, instance, ENTRY_MS);
  const lastSeen = createLastSeen(redis);
  const departures = new Map<string, Departure>();
  /** Departures whose entries are being removed from Redis. */
  const pending = new Set<Departure>();
  let isClosed = false;

  const isHere = (userId: string): boolean => io.sockets.adapter.rooms.has(userRoom(userId));
  const announce = (friendId: string, user_id: string, is_online: boolean, last_seen_at?: string) =>
    io.to(userRoom(friendId)).emit("presence", { user_id, is_online, last_seen_at });

  function heartbeat(): void {
    // A failed write is ignored: the next heartbeat repeats it.
    for (const userId of [...localUsers(), ...departures.keys()]) online.add(userId).catch(() => {});
  }
  const heartbeats = setInterval(heartbeat, HEARTBEAT_MS).unref();

  /**
   * Keeps the friends of a user's closed sockets until they are told that the user is offline: in another socket of the
   * user, which may close before it has joined them, or in a planned departure.
   */
  function keepFriends(userId: string, friends: Departure["friends"], at: Date): void {
    const [remaining] = socketsOf(io, userId);
    const kept = remaining?.data.friends ?? departures.get(userId)?.friends ?? new Map<string, string>();
    for (const [threadId, friendId] of friends) kept.set(threadId, friendId);
    if (remaining) return;
    departures.delete(userId);
    departures.set(userId, { friends: kept, at, dueAt: performance.now() + offlineAfterMs });
  }

  async function depart(userId: string, departure: Departure): Promise<void> {
    const { friends, at } = departure;
    pending.add(departure);
    const isOffline = await online.remove(userId).catch(() => null);
    pending.delete(departure);
    // Without Redis, nobody can be told. The friends would see the user online for good.
    if (isOffline === null) return keepFriends(userId, friends, at);
    if (!isOffline) return;
    const lastSeenAt = at.toISOString();
    lastSeen.write(userId, lastSeenAt);
    for (const friendId of friends.values()) announce(friendId, userId, false, lastSeenAt);
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    let left = DEPARTURES_PER_SWEEP;
    for (const [userId, departure] of departures) {
      // The map is in the order of the times.
      if (departure.dueAt > now || left === 0) return;
      // A socket of the user is connecting: `onConnect` follows, or the room ends.
      if (isHere(userId)) continue;
      departures.delete(userId);
      left -= 1;
      void depart(userId, departure);
    }
  }, SWEEP_MS).unref();

  function onConnect({ data }: RealtimeSocket): void {
    const { id } = data.user;
    data.cameOnline = online.add(id).catch(() => true);
    for (const [threadId, friendId] of departures.get(id)?.friends ?? []) data.friends.set(threadId, friendId);
    departures.delete(id);
  }

  /**
   * Tells a socket and the friend in a thread that the socket joined about each other. The friend is told only if the
   * user was offline before.
   */
  async function introduce(socket: RealtimeSocket, threadId: string): Promise<void> {
    const { user, friends, cameOnline } = socket.data;
    const friendId = friends.get(threadId);
    if (!friendId) return;
    const is_online = isHere(friendId) || (await online.has(friendId).catch(() => null));
    // Redis is away. When it is back, `renew` introduces them.
    if (is_online === null) return;
    const last_seen_at = is_online ? undefined : await lastSeen.find(friendId);
    const isNews = is_online && (await cameOnline);
    // The friendship has ended meanwhile.
    if (!friends.has(threadId)) return;
    socket.emit("presence", { user_id: friendId, is_online, last_seen_at });
    if (isNews) announce(friendId, user.id, true);
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
        await Promise.all([...socket.data.friends.keys()].map((threadId) => introduce(socket, threadId)));
      }
    },

    onConnect,
    introduce,

    /** Tells the friends later that the user is offline, unless the user has a socket on any instance by then. */
    onDisconnect({ data: { user, friends } }: RealtimeSocket): void {
      if (!isClosed) keepFriends(user.id, friends, new Date());
    },

    /** Stops announcing two former friends to each other. */
    part(threadId: string, userIds: readonly string[]): void {
      for (const departure of pending) departure.friends.delete(threadId);
      for (const userId of userIds) departures.get(userId)?.friends.delete(threadId);
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
