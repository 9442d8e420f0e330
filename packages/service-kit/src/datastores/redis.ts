import { createRequire } from "node:module";
import { Cluster, type RedisOptions as ConnectionOptions, Redis as RedisNode } from "ioredis";
import type { Logger } from "../telemetry/logger.ts";
import { Counter, Gauge } from "../telemetry/metrics.ts";
import { parseRedisUrl } from "./redisUrl.ts";

export type { RedisNode };
/** A connection to one server, or the connections to the nodes of a cluster. */
export type Redis = RedisNode | Cluster;

/** Longest time without a response of Redis, in milliseconds. */
export const SILENCE_MAX_MS = 3_000;
/** Time between two reads of the layout of a cluster. A redirection also causes one. */
const LAYOUT_EVERY_MS = 5_000;

type Connector = NonNullable<ConnectionOptions["Connector"]>;
const { default: StandaloneConnector }: { default: Connector } = createRequire(import.meta.url)(
  "ioredis/built/connectors/StandaloneConnector",
);

/**
 * Constructs the connector of ioredis, which listens to one error only: a server that is left during the TLS handshake
 * reports a second one, which would end the process.
 */
function TlsConnector(...options: ConstructorParameters<Connector>) {
  const connector = new StandaloneConnector(...options);
  const connect = connector.connect.bind(connector);
  connector.connect = async (emitter) => (await connect(emitter)).on("error", () => undefined);
  return connector;
}

const connections = new Set<Redis>();
new Gauge({
  name: "messageoh_redis_connected",
  help: "1 if every connection of this process to Redis is ready, otherwise 0",
  collect() {
    this.set([...connections].every((redis) => redis.status === "ready") ? 1 : 0);
  },
});
const reconnects = new Counter({
  name: "messageoh_redis_reconnects_total",
  help: "Connections to Redis that were lost and restored",
});

export const isCluster = (redis: Redis): redis is Cluster => redis.isCluster;

/** Returns the pause before an attempt to connect again, in milliseconds. */
export const reconnectPause = (attempt: number): number => Math.min(50 * 2 ** attempt, 1_000);

/**
 * Returns a connection to Redis that reconnects without limit, with a backoff of at most 1 s. During an outage,
 * commands fail at once unless `keepsCommands` is set, because lost events are backfilled from the database.
 * @param url see {@link parseRedisUrl}
 * @param name name of the connection in the logs and in Redis
 * @param keepsCommands whether commands are queued during an outage and sent afterwards, for libraries that need it
 */
export function connectRedis(url: string, logger: Logger, name: string, keepsCommands = false): Redis {
  const options: ConnectionOptions = {
    connectionName: name,
    enableOfflineQueue: keepsCommands,
    maxRetriesPerRequest: keepsCommands ? null : 0,
    // A frozen server neither responds nor closes the connection. The timeout closes it and drops the commands that
    // were not sent, unless they are kept.
    socketTimeout: SILENCE_MAX_MS,
    // createSubscriber subscribes again itself, because it must know when the subscription is restored.
    autoResubscribe: keepsCommands,
    connectTimeout: 5_000,
    retryStrategy: reconnectPause,
  };
  return observe(open(url, options), logger, name);
}

function open(url: string, options: ConnectionOptions): Redis {
  const { kind, hosts, name, username, password, isTls } = parseRedisUrl(url);
  // ioredis has a connector of its own for Sentinels.
  if (isTls && kind !== "sentinel") options.Connector = TlsConnector as unknown as Connector;
  if (kind === "node") return new RedisNode(url, options);
  Object.assign(options, { username, password }, isTls && { tls: {} });
  if (kind === "sentinel") {
    return new RedisNode({
      ...options,
      sentinels: hosts,
      name,
      sentinelRetryStrategy: reconnectPause,
      ...(isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    });
  }
  const { enableOfflineQueue = true, retryStrategy: _, ...redisOptions } = options;
  const cluster = new Cluster(hosts, {
    // Each node is connected before the first command, which fails otherwise.
    redisOptions: { ...redisOptions, lazyConnect: false },
    enableOfflineQueue,
    clusterRetryStrategy: reconnectPause,
    // As with one server, commands fail at once. Redirections are followed.
    ...(enableOfflineQueue ? {} : { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 }),
    slotsRefreshInterval: LAYOUT_EVERY_MS,
    // The certificate of a node is for its name.
    dnsLookup: (host, callback) => callback(null, host),
  });
  // The connection of each shard listens.
  return cluster.setMaxListeners(0);
}

/** Logs and counts what happens to a connection, and finds out if its server freezes. */
export function observe<Connection extends Redis>(redis: Connection, logger: Logger, name: string): Connection {
  connections.add(redis);
  // A connection that only listens sends no command, and the timeout begins with one. In a cluster, each shard has such
  // a connection of its own.
  const ping = () => {
    if (redis.status === "ready") redis.ping().catch(() => undefined);
  };
  const heartbeat = isCluster(redis) ? undefined : setInterval(ping, SILENCE_MAX_MS).unref();
  redis.on("end", () => {
    connections.delete(redis);
    clearInterval(heartbeat);
  });
  redis.once("ready", () => {
    logger.debug({ redis: name }, "Redis connection ready");
    redis.on("ready", () => {
      reconnects.inc();
      logger.warn({ redis: name }, "Redis connection restored");
    });
  });
  redis.on("error", (err) => logger.debug({ err, redis: name }, "Redis connection failed"));
  redis.on("close", () => logger.debug({ redis: name }, "Redis connection closed"));
  return redis;
}
