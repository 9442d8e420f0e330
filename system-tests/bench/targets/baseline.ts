import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { findNginx } from "@messageoh/stack/dependencies/programs";
import { startRedis } from "@messageoh/stack/dependencies/redis";
import { gatewayPart } from "@messageoh/stack/gateway";
import { exchange, freePort } from "@messageoh/stack/ports";
import { STAGE } from "@messageoh/stack/processes/part";
import { Supervisor } from "@messageoh/stack/processes/supervisor";
import type { Connection } from "../../client/wire.ts";
import { connectPair } from "./pairs.ts";
import type { Target } from "./target.ts";

/** Starts the baseline: nginx and two Socket.IO instances with the Redis adapter, without checks or storage. */
export async function startBaseline(dataDir: string): Promise<Target> {
  const supervisor = new Supervisor(dataDir);
  const source = join(repoRoot(), "system-tests/bench/baseline");
  const redis = await startRedis({ supervisor, dataDir, portFor: () => freePort() });
  const ports: number[] = [];
  for (const name of ["bare-1", "bare-2"]) {
    const port = await freePort();
    ports.push(port);
    await supervisor.start({
      name,
      command: process.execPath,
      args: [join(source, "server.ts")],
      env: { ...process.env, NODE_ENV: "production", PORT: String(port), INSTANCE: name, REDIS_URL: redis },
      port,
      stage: STAGE.realtime,
      ready: async () => (await exchange(port, "GET / HTTP/1.0\r\n\r\n")) !== undefined,
    });
  }
  const port = await freePort();
  const dir = join(dataDir, "nginx");
  await mkdir(dir, { recursive: true });
  const config = (await readFile(join(source, "nginx.conf"), "utf8"))
    .replace("INSTANCES\n", ports.map((each) => `server 127.0.0.1:${each};\n`).join(""))
    .replace("127.0.0.1:PORT", `127.0.0.1:${port}`);
  await writeFile(join(dir, "nginx.conf"), config);
  await supervisor.start(gatewayPart(await findNginx(), dir, port, "nginx"));
  const url = `http://127.0.0.1:${port}`;

  return {
    name: "R",
    processes: () => supervisor.processes(),
    stop: () => supervisor.stop(),
    async connect(count) {
      const connections: Connection[] = [];
      while (connections.length < count) {
        connections.push(...(await connectPair(newId(), newUser(url), newUser(url))));
      }
      return connections;
    },
  };
}

function newUser(url: string) {
  const id = newId();
  return { url, query: `&user_id=${id}`, id };
}

/** Returns a random id in the product's format. */
const newId = (): string => randomBytes(12).toString("hex");
