import { setTimeout as pause } from "node:timers/promises";
import type { RealtimeServer } from "./types.ts";

const POLL_MS = 50;

/**
 * Asks the clients of this instance to reconnect to another one within half of the time. Waits until they have, and
 * until all accepted work is done.
 * @param withinMs longest wait, in milliseconds
 * @param isIdle whether all accepted work is done
 */
export async function moveClients(io: RealtimeServer, withinMs: number, isIdle: () => boolean): Promise<void> {
  io.local.emit("server_draining", { within_ms: Math.floor(withinMs / 2) });
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && (io.sockets.sockets.size > 0 || !isIdle())) await pause(POLL_MS);
}
