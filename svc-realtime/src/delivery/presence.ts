import type { Redis } from "@messageoh/service-kit/redis";
import { pairRoom, userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

const BEAT_MS = 20_000;
const ALIVE_MS = 50_000;

export type Presence = ReturnType<typeof createPresence>;

const onlineKey = (userId: string) => `online:${userId}`;

/**
 * Who is online, on any instance: one sorted set per user in Redis holds the instances that have its sockets and until
 * when that is believed, so an instance that dies without a word is forgotten by itself.
 */
export function createPresence(io: RealtimeServer, redis: Redis, instance: string, localUsers: () => Iterable<string>) {
  const write = (commands: ReturnType<Redis["pipeline"]>) => commands.exec().catch(() => {});

  function beat(userIds: Iterable<string>): void {
    const commands = redis.pipeline();
    for (const userId of userIds) {
      commands.zadd(onlineKey(userId), Date.now() + ALIVE_MS, instance).pexpire(onlineKey(userId), ALIVE_MS);
    }
    void write(commands);
  }
  const timer = setInterval(() => beat(localUsers()), BEAT_MS).unref();

  let isClosed = false;

  async function isOnline(userId: string): Promise<boolean> {
    if (io.sockets.adapter.rooms.has(userRoom(userId))) return true;
    return (await redis.zcount(onlineKey(userId), Date.now(), "+inf").catch(() => 0)) > 0;
  }

  return {
    isOnline,
    connected: (socket: RealtimeSocket) => beat([socket.data.user.id]),

    /** Tells the friends when this was the user's last socket anywhere. */
    async left(socket: RealtimeSocket, rooms: readonly string[]): Promise<void> {
      const { id } = socket.data.user;
      if (isClosed || io.sockets.adapter.rooms.has(userRoom(id))) return;
      await write(redis.pipeline().zrem(onlineKey(id), instance));
      if (await isOnline(id)) return;
      const pairs = rooms.filter((room) => room.startsWith(pairRoom("")));
      if (pairs.length > 0) io.to(pairs).emit("presence", { user_id: id, is_online: false });
    },

    /** From now on sockets that leave are on their way to another instance. */
    close(): void {
      isClosed = true;
      clearInterval(timer);
      const commands = redis.pipeline();
      for (const userId of localUsers()) commands.zrem(onlineKey(userId), instance);
      void write(commands);
    },
  };
}
