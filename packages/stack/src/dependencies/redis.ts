import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { exchange } from "../ports.ts";
import { type Part, STAGE } from "../processes/part.ts";
import type { DatastoreContext } from "./datastore.ts";
import { findOrFetch } from "./fetched.ts";
import { writeSecret } from "./secrets.ts";

/**
 * Starts Redis without persistence: it stores only events and counters that may be lost. The password is new at every
 * start and passed in a file, because every user can read the list of processes.
 * Returns the connection string, which is also in `DATA_DIR/secrets/redis-url`.
 * @param hasReplica whether to start a replica, `redis-replica`, which only a failover by hand promotes
 */
export async function startRedis(
  { supervisor, dataDir, portFor }: DatastoreContext,
  hasReplica = false,
): Promise<string> {
  const { command, env } = await findOrFetch({
    name: "Redis",
    program: "redis-server",
    debianPackage: "redis-server",
    advice: "install redis-server, or set REDIS_URL to a running one",
  });
  const port = await portFor("redis");
  const cwd = join(dataDir, "redis");
  const password = randomBytes(24).toString("base64url");
  const config = writeSecret(dataDir, "redis.conf", `requirepass ${password}\nmasterauth ${password}`);
  await mkdir(cwd, { recursive: true });
  const partOf = (name: string, port: number, args: string[] = []): Part => ({
    name,
    command,
    args: [
      ...[config, "--port", String(port), "--bind", "127.0.0.1"],
      ...["--save", "", "--appendonly", "no", "--daemonize", "no", ...args],
    ],
    env,
    cwd,
    port,
    stage: STAGE.dependency,
    ready: async () => (await exchange(port, `AUTH ${password}\r\n`))?.toString().startsWith("+OK") ?? false,
  });
  await supervisor.start(partOf("redis", port));
  if (hasReplica) {
    const replica = partOf("redis-replica", await portFor("redis-replica"), ["--replicaof", "127.0.0.1", String(port)]);
    await supervisor.start(replica);
  }
  const url = `redis://:${password}@127.0.0.1:${port}`;
  writeSecret(dataDir, "redis-url", url);
  return url;
}
