import { Gauge } from "@messageoh/service-kit/metrics";
import type { RealtimeServer } from "./types.ts";

const servers = new Set<RealtimeServer>();

new Gauge({
  name: "messageoh_realtime_sockets",
  help: "Connected sockets, by transport",
  labelNames: ["transport"],
  // Counted on each scrape, because Socket.IO emits no event when a socket upgrades its transport.
  collect() {
    const count: Record<string, number> = { polling: 0, websocket: 0 };
    for (const io of servers) {
      for (const { conn } of io.sockets.sockets.values())
        count[conn.transport.name] = (count[conn.transport.name] ?? 0) + 1;
    }
    for (const [transport, sockets] of Object.entries(count)) this.set({ transport }, sockets);
  },
});

/**
 * Counts the sockets of this server in the metrics.
 * @returns a function that stops the counting
 */
export function countSockets(io: RealtimeServer): () => void {
  servers.add(io);
  return () => servers.delete(io);
}
