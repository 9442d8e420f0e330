import { type Cluster, Redis as RedisNode } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { observe, reconnectPause } from "./redis.ts";
import { SLOT_OF_SHARD } from "./shards.ts";

/**
 * Returns a connection to the node that owns a shard of a cluster. It connects again to the present owner whenever it
 * is closed, and ends with the cluster's connections.
 */
export function connectToShard(cluster: Cluster, shard: string, logger: Logger): RedisNode {
  const { redisOptions } = cluster.options;
  const ownerOf = () => {
    const [owner = ":"] = cluster.slots[SLOT_OF_SHARD.get(shard) as number] ?? [];
    const colon = owner.lastIndexOf(":");
    return { host: owner.slice(0, colon), port: Number(owner.slice(colon + 1)) };
  };
  const connectionName = `${redisOptions?.connectionName}${shard}`;
  const redis = new RedisNode({
    ...redisOptions,
    connectionName,
    ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResubscribe: false },
    lazyConnect: true,
    retryStrategy(attempt) {
      Object.assign(redis.options, ownerOf());
      return reconnectPause(attempt);
    },
  });
  observe(redis, logger, connectionName);
  redis.on("close", () => {
    if (cluster.status === "ready") cluster.refreshSlotsCache();
  });
  // The node has given the slot away and has unsubscribed this connection.
  redis.on("moved", () => redis.disconnect(true));
  const connect = () => {
    Object.assign(redis.options, ownerOf());
    redis.connect().catch(() => {});
  };
  if (cluster.status === "ready") connect();
  else cluster.once("ready", connect);
  cluster.once("end", () => redis.disconnect());
  return redis;
}
