import type { Redis } from "@messageoh/service-kit/redis";
import { pairRoom, userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

const HEARTBEAT_MS = 20_000;
/** Longer than two heartbeats, so that one failed write does not make a user offline. */
const EXPIRY_MS = 50_000;

export type Presence = ReturnType<typeof createPresence>;

const onlineKey = (userId: string) => `online:${userId}`;

/**
 * Tracks which users are online on any instance. Redis holds one sorted set per user: the instances with sockets of that
 * user, scored by the time at which the entry expires. Entries of a crashed instance expire without a clean-up.
 */
export function createPresence(io: RealtimeServer, redis: Redis, instance: string, localUsers: () => Iterable<string>) {
  // A failed write is ignored: the next heartbeat repeats it.
  const write = (commands: ReturnType<Redis["pipeline"]>) => commands.exec().catch(() => {});

  function renew(userIds: Iterable<string>): void {
    const commands = redis.pipeline();
    for (const userId of userIds) {
      commands.zadd(onlineKey(userId), Date.now() + EXPIRY_MS, instance).pexpire(onlineKey(userId), EXPIRY_MS);
    }
    void write(commands);
  }
  const timer = setInterval(() => renew(localUsers()), HEARTBEAT_MS).unref();

  let isClosed = false;

  async function isOnline(userId: string): Promise<boolean> {
    if (io.sockets.adapter.rooms.has(userRoom(userId))) return true;
    return (await redis.zcount(onlineKey(userId), Date.now(), "+inf").catch(() => 0)) > 0;
  }

  return {
    /** Returns whether the user has a socket on any instance; `false` if Redis cannot be read. */
    isOnline,
    onConnect: (socket: RealtimeSocket) => renew([socket.data.user.id]),

    /**
     * Tells the friends that the user is offline, if the socket was the user's last one on any instance.
     * @param rooms the rooms that the socket was in
     */
    async onDisconnect(socket: RealtimeSocket, rooms: readonly string[]): Promise<void> {
      const { id } = socket.data.user;
      if (isClosed || io.sockets.adapter.rooms.has(userRoom(id))) return;
      await write(redis.pipeline().zrem(onlineKey(id), instance));
      if (await isOnline(id)) return;
      const pairs = rooms.filter((room) => room.startsWith(pairRoom("")));
      if (pairs.length > 0) io.to(pairs).emit("presence", { user_id: id, is_online: false });
    },

    /** Removes this instance from all sets and stops announcing, because the clients move to another instance. */
    close(): void {
      isClosed = true;
      clearInterval(timer);
      const commands = redis.pipeline();
      for (const userId of localUsers()) commands.zrem(onlineKey(userId), instance);
      void write(commands);
    },
  };
}
