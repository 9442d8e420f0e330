import type { Logger } from "@messageoh/service-kit/logger";
import { limited } from "@messageoh/service-kit/rateLimit";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { webSocketOf } from "./webSocket.ts";

const CHECK_INTERVAL_MS = 1_000;
const PENDING_MAX_BYTES = 512_000;

// engine.io declares the field private and offers no other access to buffered data.
const packetsOf = ({ conn }: RealtimeSocket): readonly { data?: string | Buffer }[] => Reflect.get(conn, "writeBuffer");

/** Returns the bytes that wait for a client: in engine.io's packet buffer and in the WebSocket's send buffer. */
function pendingBytes(socket: RealtimeSocket): number {
  const packetBytes = packetsOf(socket).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return packetBytes + (webSocketOf(socket.conn)?.bufferedAmount ?? 0);
}

/** Disconnects a socket with too many pending bytes. The client reconnects and catches up. */
function disconnectSlowConsumer(socket: RealtimeSocket, pending_bytes: number, logger: Logger): void {
  limited.inc({ limit: "slow_consumer" });
  logger.warn({ user_id: socket.data.user.id, pending_bytes }, "slow consumer disconnected");
  const { conn } = socket;
  const webSocket = webSocketOf(conn);
  socket.disconnect(true);
  // A normal close waits until the client has read the buffers. These two calls free them now.
  conn.close(true);
  webSocket?.terminate();
}

/**
 * Disconnects sockets whose clients read too slowly, so that their buffers do not fill the memory of this instance.
 * @returns a function that stops the checks
 */
export function disconnectSlowConsumers(io: RealtimeServer, logger: Logger): () => void {
  const timer = setInterval(() => {
    for (const socket of io.sockets.sockets.values()) {
      const pending_bytes = pendingBytes(socket);
      if (pending_bytes > PENDING_MAX_BYTES) disconnectSlowConsumer(socket, pending_bytes, logger);
    }
  }, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
