import { Gauge } from "@messageoh/service-kit/metrics";
import type { RealtimeServer } from "./types.ts";

const servers = new Set<RealtimeServer>();

new Gauge({
  name: "messageoh_realtime_sockets",
  help: "Connected sockets",
  labelNames: ["transport"],
  // Counted when somebody asks: a socket changes its transport without an event of its own.
  collect() {
    const count: Record<string, number> = { polling: 0, websocket: 0 };
    for (const io of servers) {
      for (const { conn } of io.sockets.sockets.values())
        count[conn.transport.name] = (count[conn.transport.name] ?? 0) + 1;
    }
    for (const [transport, sockets] of Object.entries(count)) this.set({ transport }, sockets);
  },
});

/** Counts this server's sockets in the metrics. @returns the function that ends it */
export function countSockets(io: RealtimeServer): () => void {
  servers.add(io);
  return () => servers.delete(io);
}
