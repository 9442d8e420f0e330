import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { exchange } from "../ports.ts";
import { type Part, STAGE } from "../processes/part.ts";
import type { DatastoreContext } from "./datastore.ts";
import { findRedis } from "./programs.ts";
import { CLUSTER_ARGS, formCluster } from "./redisCluster.ts";
import { writeSecret } from "./secrets.ts";

/** The servers of Redis. With several nodes they are a Redis Cluster. */
export type RedisShape = {
  /** Nodes with keys of their own (default: 1). */
  nodes?: number | undefined;
  /** Replicas of each node (default: 0). A single node has at most one, `redis-replica`, promoted by hand. */
  replicas?: number | undefined;
};

/**
 * Starts Redis without persistence: it stores only events and counters that may be lost. The password is new at every
 * start and passed in a file, because every user can read the list of processes. The layout of a cluster is kept in
 * `DATA_DIR`, one per shape.
 * Returns the connection string, which is also in `DATA_DIR/secrets/redis-url`.
 */
export async function startRedis(
  { supervisor, dataDir, portFor }: DatastoreContext,
  { nodes = 1, replicas = 0 }: RedisShape = {},
): Promise<string> {
  const { command, env } = await findRedis();
  const password = randomBytes(24).toString("base64url");
  const config = writeSecret(dataDir, "redis.conf", `requirepass ${password}\nmasterauth ${password}`);
  const partOf = async (name: string, args: (string | number)[] = []): Promise<Part> => {
    const [port, cwd] = [await portFor(name), join(dataDir, name)];
    await mkdir(cwd, { recursive: true });
    return {
      name,
      command,
      args: [
        ...[config, "--port", String(port), "--bind", "127.0.0.1"],
        ...["--save", "", "--appendonly", "no", "--daemonize", "no", ...args.map(String)],
      ],
      env,
      cwd,
      port,
      stage: STAGE.dependency,
      ready: async () => (await exchange(port, `AUTH ${password}\r\n`))?.toString().startsWith("+OK") ?? false,
    };
  };
  const start = async (name: string, args?: (string | number)[]): Promise<number> => {
    const part = await partOf(name, args);
    await supervisor.start(part);
    return part.port;
  };
  const memberArgs = async (name: string) => [
    ...["--cluster-port", await portFor(`${name}-bus`), "--cluster-config-file", `nodes-${nodes}-${replicas}.conf`],
    ...CLUSTER_ARGS,
  ];
  const ports: number[] = [];
  if (nodes === 1) {
    ports.push(await start("redis"));
    if (replicas > 0) await start("redis-replica", ["--replicaof", "127.0.0.1", ...ports]);
  } else {
    const names = Array.from({ length: nodes * (1 + replicas) }, (_, index) =>
      index ? `redis-${index + 1}` : "redis",
    );
    ports.push(...(await Promise.all(names.map(async (name) => start(name, await memberArgs(name))))));
    await formCluster(ports, nodes, password);
  }
  const url = `redis://:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}`;
  writeSecret(dataDir, "redis-url", url);
  return url;
}
