import { randomInt } from "node:crypto";
import { createConnection, createServer } from "node:net";

/** Returns whether a port is free on an address (default: loopback). */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** Ports that {@link freePort} has returned. The processes that they are for may not listen yet. */
const given = new Set<number>();

/**
 * Returns a free loopback port that it has not returned before. It is outside the ephemeral range, so that no outgoing
 * connection takes it while a process restarts.
 */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(15_000, 32_000);
    if (taken.has(port) || given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
  throw new Error("No port between 15000 and 32000 is free");
}

/** Sends bytes to a loopback port and returns the first chunk of the response, or `undefined`. */
export function exchange(port: number, request: string | Buffer, timeoutMs = 1_000): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const finish = (response?: Buffer): void => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(timeoutMs, () => finish());
    socket.once("error", () => finish());
    socket.once("close", () => finish());
    socket.once("data", finish);
    socket.write(request);
  });
}

/** Waits until `check` returns true. Returns `false` on a timeout. */
export async function until(
  check: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return true;
}
