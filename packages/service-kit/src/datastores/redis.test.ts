import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { datastoreUrl, silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { readMetric } from "../../testing/metrics.ts";
import { cutRedis } from "../../testing/redis.ts";
import { until } from "../../testing/until.ts";
import { createHttpApp } from "../http/httpApp.ts";
import { createPublish, findHeard } from "./publish.ts";
import { connectRedis, type Redis, type RedisNode, SILENCE_MAX_MS } from "./redis.ts";
import { createSubscriber } from "./subscriber.ts";

const connections: Redis[] = [];
let service: Awaited<ReturnType<typeof serveForTest>>;
const metric = (name: string) => readMetric(service.url, name);

beforeAll(async () => {
  service = await serveForTest(createHttpApp({ logger: silentLogger, isReady: () => true }).app.callback());
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await service.close();
});

async function connect(name: string): Promise<Redis> {
  const redis = connectRedis(datastoreUrl("REDIS"), silentLogger, name);
  connections.push(redis);
  await new Promise<void>((resolve) => redis.once("ready", resolve));
  return redis;
}

it("receives events again after an interruption, reports it, and counts it", async () => {
  const [publisher, listener] = [await connect("publisher"), await connect("listener")];
  const publish = createPublish(publisher, silentLogger);
  const received: unknown[] = [];
  const restored = Promise.withResolvers<void>();
  const subscriber = createSubscriber(listener, silentLogger, {
    onEvent: (_, event) => received.push(event),
    onRestored: () => restored.resolve(),
  });
  await subscriber.add("news");
  expect(await metric("messageoh_redis_connected")).toBe(1);

  await cutRedis(listener);
  await new Promise((resolve) => listener.once("close", resolve));
  expect(await metric("messageoh_redis_connected")).toBe(0);
  await restored.promise;

  await publish([["news", { number: 1 }]]);
  await until(() => received.length > 0);
  expect(received).toEqual(['{"number":1}']);
  expect(await metric("messageoh_redis_connected")).toBe(1);
  expect(await metric("messageoh_redis_reconnects_total")).toBe(1);
  expect(await metric("messageoh_event_gaps_total")).toBe(1);
});

it("reports the first subscription if channels were added before it, because events were missed until then", async () => {
  const listener = connectRedis(datastoreUrl("REDIS"), silentLogger, "late");
  connections.push(listener);
  let restored = 0;
  const subscriber = createSubscriber(listener, silentLogger, {
    onEvent: () => undefined,
    onRestored: () => {
      restored += 1;
    },
  });
  await subscriber.add("news");
  expect(subscriber.isLive()).toBe(false);
  await until(() => subscriber.isLive());
  expect(restored).toBe(1);
});

it("counts the events that could not be published", async () => {
  const publisher = await connect("publisher");
  const publish = createPublish(publisher, silentLogger);
  await cutRedis(publisher);
  await new Promise((resolve) => publisher.once("close", resolve));
  const result = await publish([
    ["news", { number: 1 }],
    ["news", { number: 2 }],
  ]);
  expect(result).toBeNull();
  await until(async () => (await metric("messageoh_events_not_published_total")) === 2);
  expect(await metric("messageoh_events_not_published_total")).toBe(2);
});

it("publishes an event to several channels, and each event as it is", async () => {
  const [publisher, listener] = [await connect("publisher"), await connect("listener")];
  const received: string[] = [];
  const subscriber = createSubscriber(listener, silentLogger, {
    onEvent: (channel, event) => received.push(`${channel} ${event}`),
  });
  for (const channel of ["one", "two"]) await subscriber.add(channel);
  const [shared, other] = [{ number: 1 }, { number: 2 }];
  await createPublish(
    publisher,
    silentLogger,
  )([
    ["one", shared],
    ["two", shared],
    ["one", other],
    ["two", shared],
  ]);
  await until(() => received.length >= 4);
  expect(received).toEqual(['one {"number":1}', 'two {"number":1}', 'one {"number":2}', 'two {"number":1}']);
});

it("reports the channels that nobody hears, also after the end of a subscriber's connection", async () => {
  const [publisher, listener] = [await connect("publisher"), await connect("listener")];
  const publish = createPublish(publisher, silentLogger);
  const subscriber = createSubscriber(listener, silentLogger, { onEvent: () => undefined });
  await subscriber.add("heard");
  const unheard = async () => [
    ...((await publish(["heard", "unheard"].map((channel) => [channel, { number: 1 }] as const))) ?? []),
  ];
  expect(await unheard()).toEqual(["unheard"]);
  expect(await findHeard(publisher, ["unheard", "heard"])).toEqual(new Set(["heard"]));

  listener.disconnect();
  await until(async () => (await findHeard(publisher, ["heard"])).size === 0);
  expect(await unheard()).toEqual(["heard", "unheard"]);
});

it("does not publish to a channel that only the named subscriber hears", async () => {
  const [publisher, one, two] = [await connect("publisher"), await connect("one"), await connect("two")];
  const publish = createPublish(publisher, silentLogger);
  const received: string[] = [];
  const subscriberOf = (redis: Redis, name: string) =>
    createSubscriber(redis, silentLogger, { onEvent: (_, event) => received.push(`${name} ${event}`) });
  const [subscriberOne, subscriberTwo] = [subscriberOf(one, "one"), subscriberOf(two, "two")];
  for (const channel of ["instance:one", "user:ann"]) await subscriberOne.add(channel);
  expect(await publish([["user:ann", { number: 1 }, "instance:one"]])).toEqual(new Set());
  await subscriberTwo.add("user:ann");
  await publish([["user:ann", { number: 2 }, "instance:one"]]);
  await until(() => received.length === 2);
  expect(received.toSorted()).toEqual(['one {"number":2}', 'two {"number":2}']);
  // The named subscriber has lost its connection, so the other one is not mistaken for it.
  one.disconnect();
  await until(async () => (await findHeard(publisher, ["instance:one"])).size === 0);
  await publish([["user:ann", { number: 3 }, "instance:one"]]);
  await until(() => received.length === 3);
});

/** Forwards to Redis until it is told to freeze: then it neither reads nor closes its connections. */
async function serveFreezing() {
  const sockets: Socket[] = [];
  let isFrozen = false;
  const target = new URL(datastoreUrl("REDIS"));
  const server = createServer((client) => {
    const redis = connectTo(Number(target.port), target.hostname);
    sockets.push(client, redis);
    for (const socket of [client, redis]) socket.on("error", () => undefined);
    if (!isFrozen) client.pipe(redis).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    /** Serves new connections. */
    thaw() {
      isFrozen = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it("drops what it publishes while the server is frozen", async () => {
  const server = await serveFreezing();
  const redis = connectRedis(server.url, silentLogger, "frozen");
  connections.push(redis);
  await new Promise<void>((resolve) => redis.once("ready", resolve));
  const { stream } = redis as RedisNode;
  server.freeze();
  const publish = createPublish(redis, silentLogger);
  const results = Array.from({ length: 2_000 }, () => publish([["news", { text: "x".repeat(1_000) }]]));
  expect(new Set(await Promise.all(results))).toEqual(new Set([null]));
  expect([redis.status === "ready", stream.destroyed]).toEqual([false, true]);
  expect(await publish([["news", { number: 1 }]])).toBeNull();
  redis.disconnect();
  server.close();
});

it("closes a connection that only listens while the server is frozen, and subscribes again afterwards", async () => {
  const server = await serveFreezing();
  const redis = connectRedis(server.url, silentLogger, "listening", true) as RedisNode;
  connections.push(redis);
  const received: string[] = [];
  redis.on("smessage", (_, event) => received.push(event));
  await redis.ssubscribe("frozen news");
  expect(await redis.ping()).toBeDefined();
  server.freeze();
  const frozenAt = performance.now();
  await new Promise((resolve) => redis.once("close", resolve));
  expect(performance.now() - frozenAt).toBeLessThan(3 * SILENCE_MAX_MS);
  server.thaw();
  const publisher = await connect("publisher");
  await until(async () => {
    await publisher.spublish("frozen news", "hello");
    return received.length > 0;
  });
  expect(received[0]).toBe("hello");
  redis.disconnect();
  server.close();
});

it("encrypts what it asks the Sentinels for rediss+sentinel://", async () => {
  const first = Promise.withResolvers<number | undefined>();
  const sentinel = createServer((socket) => {
    socket.once("data", ([byte]) => {
      first.resolve(byte);
      socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => sentinel.once("listening", resolve));
  const { port } = sentinel.address() as AddressInfo;
  const redis = connectRedis(`rediss+sentinel://127.0.0.1:${port}/main`, silentLogger, "sentinel");
  const byte = await first.promise;
  redis.disconnect();
  sentinel.close();
  const TLS_HANDSHAKE = 22;
  expect(byte).toBe(TLS_HANDSHAKE);
});
