import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { exchange } from "../ports.ts";
import { STAGE } from "../processes/part.ts";
import type { Engine, EngineContext } from "./engine.ts";
import { findOrFetch } from "./fetched.ts";

/** Starts Redis without persistence: it only carries events and counters that may be lost. */
export async function startRedis({ supervisor, dataDir, portFor }: EngineContext): Promise<Engine> {
  const { command, env } = await findOrFetch({
    engine: "Redis",
    program: "redis-server",
    debianPackage: "redis-server",
    advice: "install redis-server, or set REDIS_URL to a running one",
  });
  const port = await portFor("redis");
  const cwd = join(dataDir, "redis");
  await mkdir(cwd, { recursive: true });
  await supervisor.start({
    name: "redis",
    command,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"],
    env,
    cwd,
    port,
    stage: STAGE.engine,
    ready: async () => (await exchange(port, "PING\r\n"))?.toString().startsWith("+PONG") ?? false,
  });
  return { url: `redis://127.0.0.1:${port}`, processes: ["redis"] };
}
