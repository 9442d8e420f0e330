import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findNginx } from "../../tools/src/engines/nginx.ts";
import { startRedis } from "../../tools/src/engines/redis.ts";
import { isRoot } from "../../tools/src/engines/unprivileged.ts";
import { exchange, freePort } from "../../tools/src/ports.ts";
import { STAGE } from "../../tools/src/processes/part.ts";
import { Supervisor } from "../../tools/src/processes/supervisor.ts";
import { repoRoot } from "../../tools/src/root.ts";
import type { Connection } from "../load/wire.ts";
import { connectPair } from "./pairs.ts";
import type { Target } from "./target.ts";

/** R: nginx, two bare Socket.IO instances and the Redis adapter between them. Nothing is checked, nothing is kept. */
export async function startFloor(dataDir: string): Promise<Target> {
  const supervisor = new Supervisor(dataDir);
  const floor = join(repoRoot(), "bench/floor");
  const redis = await startRedis({ supervisor, dataDir, portFor: () => freePort(), durable: false });
  const ports: number[] = [];
  for (const name of ["bare-1", "bare-2"]) {
    const port = await freePort();
    ports.push(port);
    await supervisor.start({
      name,
      command: process.execPath,
      args: [join(floor, "server.ts")],
      env: { ...process.env, NODE_ENV: "production", PORT: String(port), INSTANCE: name, REDIS_URL: redis.url },
      port,
      stage: STAGE.realtime,
      ready: async () => (await exchange(port, "GET / HTTP/1.0\r\n\r\n")) !== undefined,
    });
  }
  const port = await freePort();
  const dir = join(dataDir, "nginx");
  await mkdir(dir, { recursive: true });
  const config = (await readFile(join(floor, "nginx.conf"), "utf8"))
    .replace("INSTANCES\n", ports.map((each) => `server 127.0.0.1:${each};\n`).join(""))
    .replace("127.0.0.1:PORT", `127.0.0.1:${port}`);
  await writeFile(join(dir, "nginx.conf"), config);
  await supervisor.start({
    name: "nginx",
    ...(await findNginx()),
    args: ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr", ...(isRoot() ? ["-g", "user root;"] : [])],
    cwd: dir,
    port,
    stage: STAGE.gateway,
    ready: async () => (await exchange(port, "GET / HTTP/1.0\r\n\r\n")) !== undefined,
  });
  const url = `http://127.0.0.1:${port}`;

  return {
    name: "R",
    processes: () => supervisor.processes(),
    database: [],
    stop: () => supervisor.stop(),
    async connect(count) {
      const connections: Connection[] = [];
      while (connections.length < count) {
        // As long as the product's ids, so that the frames are.
        const [a, b, thread_id] = [newId(), newId(), newId()];
        const [one, other] = await connectPair({ url, query: `&user_id=${a}` }, { url, query: `&user_id=${b}` });
        one.route = { thread_id, sending_user_id: a, recipient_user_id: b };
        other.route = { thread_id, sending_user_id: b, recipient_user_id: a };
        connections.push(one, other);
      }
      return connections;
    },
  };
}

const newId = () => randomBytes(12).toString("hex");
