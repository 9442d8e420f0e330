import { jitterMs } from "./jitter.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";

/** Shortest time between two polls of a client during an interruption. */
const POLL_MS = 5_000;

/** Tells the clients of this instance when storage or delivery becomes delayed, and when it recovers. */
export function createServiceState(io: RealtimeServer, isDegraded: () => boolean) {
  const state = () => ({ is_degraded: isDegraded(), poll_ms: jitterMs(io.sockets.sockets.size, POLL_MS) });
  let wasDegraded = false;

  /** Tells all clients if the state has changed. */
  function announce(): void {
    if (isDegraded() === wasDegraded) return;
    wasDegraded = !wasDegraded;
    io.local.emit("service_state", state());
  }

  return {
    announce,
    /** Tells a client that connects. */
    greet(socket: RealtimeSocket): void {
      if (wasDegraded) socket.emit("service_state", state());
      announce();
    },
  };
}
