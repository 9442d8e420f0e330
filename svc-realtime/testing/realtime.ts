import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, type Call } from "@messageoh/contracts/client";
import {
  type MarkerMove,
  type Message,
  type NewMessage,
  type StoreResult,
  storedAt,
} from "@messageoh/contracts/messages";
import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import { connectRedis } from "@messageoh/service-kit/redis";
import { engineUrl, silentLogger } from "@messageoh/service-kit/testing/engines";
import { io, type Socket } from "socket.io-client";
import { type EventRates, RATE_LIMITS } from "../src/limits/eventLimits.ts";
import { createRealtime, type RealtimeOptions } from "../src/realtime.ts";

/** What svc-realtime sends to svc-messages, of all calls. */
interface Body {
  messages: NewMessage[];
  markers: MarkerMove[];
  thread_id: string;
  user_id: string;
  after: number;
  before: number;
  user_ids: string[];
  since: string;
  until: string;
  known: Record<string, number>;
}

/**
 * Answers as the two other services do. A token is `TOKEN-<name>`, or with a suffix for another session; the members of
 * each of the `threads` are friends.
 */
export function createOtherServices(threads: ThreadMembers[]) {
  const state = {
    usersAreAway: false,
    messagesAreAway: false,
    /** Base URLs of the svc-messages instances. */
    messagesUrls: ["http://messages-1"],
    /** Threads whose messages are to be sent again. */
    retried: new Set<string>(),
    /** Names whose sessions are over. */
    ended: new Set<string>(),
    /** Sessions that svc-users tells have ended, by id. */
    endedIds: [] as string[],
    stored: [] as Message[],
    /** Told of each message that a call stored, with the socket it came from. */
    onStored: (_message: Message, _origin: string): void => undefined,
    markers: [] as object[],
    /** Paths of the calls to svc-messages. */
    calls: [] as string[],
  };
  const isMember = (threadId: string, ...userIds: string[]) =>
    threads.some((thread) => thread.thread_id === threadId && userIds.every((id) => thread.user_ids.includes(id)));
  const callUsers = async (
    { path }: { path: string },
    input: { params?: { user_id: string }; body?: { token: string } },
  ) => {
    if (state.usersAreAway) throw new ApiError(0);
    if (path === "/internal/sessions/ended") {
      const sessions = state.endedIds.map((session_id) => ({ session_id, user_id: "anybody" }));
      return { sessions, until: new Date().toISOString(), has_more: false };
    }
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

  function storeResult(message: NewMessage): StoreResult {
    const { thread_id, sending_user_id, recipient_user_id } = message;
    if (state.retried.has(thread_id)) return { retry: true };
    if (!isMember(thread_id, sending_user_id, recipient_user_id))
      return { error: "You can only write to your friends" };
    const row = store(message);
    state.onStored(row, message.origin);
    return { message: row };
  }

  function recentOf({ user_ids, since, until, known }: Body): Message[] {
    const within = state.stored.filter(
      ({ id }) => storedAt(id) >= Date.parse(since) && storedAt(id) < Date.parse(until),
    );
    const of = (userId: string) => within.filter((message) => message.recipient_user_id === userId);
    return user_ids.flatMap((userId) => (of(userId).length > (known[userId] ?? 0) ? of(userId) : []));
  }

  const callMessages = async ({ path }: { path: string }, { body }: { body: Body }) => {
    state.calls.push(path);
    if (state.messagesAreAway) throw new ApiError(503);
    switch (path) {
      case "/internal/markers/batch":
        return {
          results: body.markers.map(({ request_id, ...marker }) => {
            if (!isMember(marker.thread_id, marker.user_id)) return { error: "This is not yours" };
            state.markers.push({ ...marker, request_id });
            return { marker };
          }),
        };
      case "/internal/messages/recent":
        return { messages: recentOf(body) };
      case "/internal/messages/between":
        return {
          messages: state.stored.filter(
            ({ thread_id, seq }) => thread_id === body.thread_id && seq > body.after && seq < body.before,
          ),
        };
      default:
        return { results: body.messages.map(storeResult) };
    }
  };

  function store({ origin, request_id, ...parts }: NewMessage): Message {
    const seq = state.stored.filter(({ thread_id }) => thread_id === parts.thread_id).length + 1;
    const count = state.stored.length + 1;
    const id = Date.now().toString(16).padStart(12, "0") + count.toString(16).padStart(12, "0");
    const message = { ...parts, id, seq, timestamp: parts.timestamp ?? new Date().toISOString(), read: false };
    state.stored.push(message);
    return message;
  }
  return {
    state,
    store,
    callUsers: callUsers as unknown as Call,
    messages: {
      discover: async () => state.messagesUrls,
      clientOf: () => callMessages as unknown as Call,
      probe: async () => !state.messagesAreAway,
    },
  };
}
export type OtherServices = ReturnType<typeof createOtherServices>;

const PLENTY = { count: 1_000_000, seconds: 1 };
export const PLENTY_OF_EVENTS = Object.fromEntries(
  Object.keys(RATE_LIMITS).map((name) => [
    name,
    name === "dailyBytes" ? { count: 1_000_000_000, seconds: 60 } : PLENTY,
  ]),
) as EventRates;
const GENEROUS: RealtimeOptions["limits"] = {
  events: PLENTY_OF_EVENTS,
  connectionsPerUser: 1_000,
  connectionsPerAddress: 1_000,
};

/** One instance on a free port, with its own connections to the real Redis. */
export async function startInstance(
  instance: string,
  { callUsers, messages }: OtherServices,
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
    messages,
    limits: { ...GENEROUS, ...limits },
    logger: silentLogger,
  });
  await realtime.service.start();
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
    client.once("connect_error", (error: Error & { description?: unknown }) =>
      reject(error.description === 401 ? new Error("unauthorised") : error),
    );
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
