import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import { createPublish } from "@messageoh/service-kit/publish";
import { connectRedis, isCluster } from "@messageoh/service-kit/redis";
import { datastoreUrl, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { type EventRates, RATE_LIMITS } from "../src/limits/eventLimits.ts";
import { createRealtime, type RealtimeOptions } from "../src/realtime.ts";
import { FakeMessages } from "./fakeMessages.ts";
import { pause } from "./waiting.ts";

/** Creates the services that svc-realtime calls, with these threads. */
export const createFakeServices = (threads: readonly ThreadMembers[]) => ({
  users: new FakeUsers(threads),
  messages: new FakeMessages(threads),
});
export type FakeServices = ReturnType<typeof createFakeServices>;

type Limits = RealtimeOptions["limits"];

const UNLIMITED = { count: 1_000_000, seconds: 1 };
export const UNLIMITED_EVENTS = Object.fromEntries(
  Object.keys(RATE_LIMITS).map((name) => [
    name,
    name === "daily_bytes" ? { count: 1_000_000_000, seconds: 60 } : UNLIMITED,
  ]),
) as EventRates;
const NO_LIMITS: Limits = {
  events: UNLIMITED_EVENTS,
  connectionsPerUser: 1_000,
  connectionsPerAddress: 1_000,
};

/** Starts one instance on a free port, with its own connections to the real Redis. */
export async function startInstance(instance: string, services: FakeServices, limits: Partial<Limits> = {}) {
  const connect = (role: string, keepsCommands = false) =>
    connectRedis(datastoreUrl("REDIS"), silentLogger, `${instance}-${role}`, keepsCommands);
  const redis = {
    publisher: connect("pub"),
    subscriber: connect("sub"),
    adapterSubscriber: connect("adapter-sub", true),
  };
  const server = createServer(createHttpApp({ logger: silentLogger, isReady: () => true }).app.callback());
  const realtime = createRealtime(server, {
    instance,
    redis,
    callUsers: services.users.call,
    messages: services.messages.options,
    limits: { ...NO_LIMITS, ...limits },
    offlineAfterMs: 50,
    logger: silentLogger,
  });
  await realtime.messagesService.start();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  while (redis.subscriber.status !== "ready" || redis.publisher.status !== "ready") await pause(10);
  return {
    realtime,
    redis,
    publish: createPublish(redis.publisher, silentLogger),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await realtime.drain(0);
      // The adapter unsubscribes without waiting for the result: a disconnect now would reject its commands unhandled.
      if (!isCluster(redis.adapterSubscriber)) await redis.adapterSubscriber.quit();
      for (const connection of Object.values(redis)) connection.disconnect();
    },
  };
}
export type Instance = Awaited<ReturnType<typeof startInstance>>;
