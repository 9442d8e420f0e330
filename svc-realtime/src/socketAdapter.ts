import { EventEmitter } from "node:events";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { isCluster, type Redis } from "@messageoh/service-kit/redis";
import { shardOf } from "@messageoh/service-kit/shards";
import { createSubscriber } from "@messageoh/service-kit/subscriber";
import { createShardedAdapter } from "@socket.io/redis-adapter";

const peerEvents = new Counter({
  name: "messageoh_realtime_peer_events_total",
  help: "Typing and presence events received from Redis",
});

export interface AdapterConnections {
  publisher: Redis;
  adapterSubscriber: Redis;
}

/**
 * Returns the adapter of Socket.IO for typing and presence. It subscribes to the rooms of its own users only; the other
 * adapter receives the broadcasts of all instances.
 */
export function createSocketAdapter({ publisher, adapterSubscriber }: AdapterConnections, logger: Logger) {
  const subscriber = isCluster(adapterSubscriber) ? shardSubscriber(adapterSubscriber, logger) : adapterSubscriber;
  subscriber.on("smessageBuffer", () => peerEvents.inc());
  return createShardedAdapter(isCluster(publisher) ? shardPublisher(publisher) : publisher, subscriber, {
    subscriptionMode: "dynamic",
  });
}

/** Returns the part of a connection that the adapter uses to publish, with its channels spread over the shards. */
const shardPublisher = (redis: Redis) => ({
  spublish: (channel: string, payload: string | Buffer) => redis.spublish(channel + shardOf(redis, channel), payload),
});

/** Returns the part of a connection that the adapter uses to subscribe. Its subscriptions outlive moved slots. */
function shardSubscriber(redis: Redis, logger: Logger) {
  const client = new EventEmitter();
  const { add, remove } = createSubscriber(redis, logger, {
    onEvent: (channel, event) => client.emit("smessageBuffer", channel, Buffer.from(event)),
  });
  return Object.assign(client, { ssubscribe: add, sunsubscribe: remove });
}
