import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, type Call } from "@messageoh/contracts/client";
import { type Message, type NewMessage, storedAt } from "@messageoh/contracts/messages";
import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import { connectRedis } from "@messageoh/service-kit/redis";
import { engineUrl, silentLogger } from "@messageoh/service-kit/testing/engines";
import { io, type Socket } from "socket.io-client";
import { createRealtime, type RealtimeOptions } from "./realtime.ts";

interface Recent {
  user_ids: string[];
  since: string;
  until: string;
  known: Record<string, number>;
}

/** What the two other services would say. A token is `TOKEN-<name>`, or with more behind for another session; everybody in `threads` is friends. */
export function createOtherServices(threads: ThreadMembers[]) {
  const state = {
    usersAreAway: false,
    messagesAreAway: false,
    /** Names whose sessions are over. */
    ended: new Set<string>(),
    stored: [] as Message[],
    markers: [] as object[],
  };
  const isMember = (threadId: string, ...userIds: string[]) =>
    threads.some((thread) => thread.thread_id === threadId && userIds.every((id) => thread.user_ids.includes(id)));
  const callUsers = async (
    { path }: { path: string },
    input: { params?: { user_id: string }; body?: { token: string } },
  ) => {
    if (state.usersAreAway) throw new ApiError(0);
    if (path.startsWith("/internal/sessions")) {
      const token = input.body?.token ?? "";
      const name = token.split("-")[1];
      return {
        session:
          name && !state.ended.has(name)
            ? { session_id: token.replace("TOKEN", "session"), user: { id: name, name, avatar_id: "fox-id" } }
            : null,
      };
    }
    return threads.filter((thread) => thread.user_ids.includes(input.params?.user_id ?? ""));
  };
  const callMessages = async (
    { path }: { path: string },
    { body }: { body: { messages: NewMessage[]; thread_id: string; user_id: string } & Recent },
  ) => {
    if (state.messagesAreAway) throw new ApiError(503);
    if (path === "/internal/markers") {
      if (!isMember(body.thread_id, body.user_id)) throw new ApiError(403, "This is not yours");
      state.markers.push(body);
      return body;
    }
    if (path === "/internal/messages/recent") {
      const { user_ids, known } = body;
      const [since, until] = [Date.parse(body.since), Date.parse(body.until)];
      const within = state.stored.filter(({ id }) => storedAt(id) >= since && storedAt(id) < until);
      const of = (userId: string) => within.filter((message) => message.recipient_user_id === userId);
      return {
        messages: user_ids.flatMap((userId) => (of(userId).length > (known[userId] ?? 0) ? of(userId) : [])),
      };
    }
    return {
      results: body.messages.map((message) =>
        isMember(message.thread_id, message.sending_user_id, message.recipient_user_id)
          ? JSON.stringify(store(message))
          : { error: "You can only write to your friends" },
      ),
    };
  };
  function store({ origin, request_id, ...parts }: NewMessage): Message {
    const seq = state.stored.length + 1;
    const id = Date.now().toString(16).padStart(12, "0") + seq.toString(16).padStart(12, "0");
    const message = { ...parts, id, seq, timestamp: parts.timestamp ?? new Date().toISOString(), read: false };
    state.stored.push(message);
    return message;
  }
  return { state, store, callUsers: callUsers as unknown as Call, callMessages: callMessages as unknown as Call };
}
export type OtherServices = ReturnType<typeof createOtherServices>;

const PLENTY = { count: 1_000_000, seconds: 1 };
const GENEROUS: RealtimeOptions["limits"] = {
  sends: { rate: PLENTY, waitingMax: 1_000, waitingTotalMax: 1_000 },
  eventsPerSocket: PLENTY,
  connectionsPerUser: 1_000,
  connectionsPerAddress: 1_000,
};

/** One instance on a free port, with its own connections to the real Redis. */
export async function startInstance(
  instance: string,
  { callUsers, callMessages }: OtherServices,
  limits: Partial<RealtimeOptions["limits"]> = {},
) {
  const connect = (keepsCommands = false) =>
    connectRedis(engineUrl("REDIS"), silentLogger, instance, { keepsCommands });
  const redis = {
    publisher: connect(),
    subscriber: connect(),
    adapterPublisher: connect(true),
    adapterSubscriber: connect(true),
  };
  const server = createServer(createHttpApp({ logger: silentLogger, isReady: () => true }).app.callback());
  const realtime = createRealtime(server, {
    instance,
    redis,
    callUsers,
    callMessages,
    limits: { ...GENEROUS, ...limits },
    logger: silentLogger,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  while (redis.subscriber.status !== "ready" || redis.publisher.status !== "ready") await pause(10);
  return {
    realtime,
    redis,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await realtime.drain(0);
      for (const connection of Object.values(redis)) connection.disconnect();
    },
  };
}
export type Instance = Awaited<ReturnType<typeof startInstance>>;

export type Client = Socket<ServerToClientEvents, ClientToServerEvents> & { seen: [name: string, payload: unknown][] };

/** A connected client that remembers all it was sent. */
export async function connectClient({ url }: Instance, token: string | null, options: object = {}): Promise<Client> {
  const client = io(url, {
    extraHeaders: token ? { cookie: `messageoh_session=${token}` } : {},
    reconnection: false,
    forceNew: true,
    ...options,
  }) as Client;
  client.seen = [];
  client.onAny((name, payload) => client.seen.push([name, payload]));
  await new Promise<void>((resolve, reject) => {
    client.once("connect", resolve);
    client.once("connect_error", reject);
    client.once("disconnect", (reason) => reject(new Error(reason)));
  });
  return client;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `check` holds; fails with what it last saw. */
export async function eventually<T>(look: () => T, check: (seen: T) => boolean, withinMs = 3_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = look();
    if (check(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`Waited in vain, last seen: ${JSON.stringify(seen)}`);
    await pause(10);
  }
}
