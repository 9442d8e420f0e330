import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { exchange, freePort } from "../ports.ts";
import { temporarySupervisor } from "../processes/temporarySupervisor.ts";
import { startRedis } from "./redis.ts";

it("starts Redis with a password that only its owner can read", async () => {
  const { dir: dataDir, supervisor, stop } = await temporarySupervisor("redis");
  try {
    const url = new URL(await startRedis({ supervisor, dataDir, portFor: () => freePort() }));
    const send = async (command: string) => String(await exchange(Number(url.port), command));
    expect(await send("KEYS *\r\n")).toContain("NOAUTH");
    expect(await send(`AUTH ${url.password}\r\n`)).toContain("+OK");
    const [redis] = supervisor.processes();
    expect(await readFile(`/proc/${redis?.pid}/cmdline`, "utf8")).not.toContain(url.password);
    for (const file of ["secrets/redis.conf", "secrets/redis-url", "logs/redis.log"]) {
      expect([file, (await stat(join(dataDir, file))).mode & 0o777]).toEqual([file, 0o600]);
    }
  } finally {
    await stop();
  }
}, 60_000);
