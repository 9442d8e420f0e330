import type { Logger } from "@messageoh/service-kit/logger";
import { limited } from "@messageoh/service-kit/rateLimit";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";

const LOOK_EVERY_MS = 1_000;
const PENDING_MAX_BYTES = 512_000;

interface Connection {
  writeBuffer: readonly { data?: string | Buffer }[];
  transport: { socket?: { bufferedAmount?: number; terminate: () => void } };
  close: (discards: boolean) => void;
}
const connectionOf = ({ conn }: RealtimeSocket) => conn as unknown as Connection;

/** What was sent to a socket and not taken by its client: packets of engine.io, and bytes in the WebSocket's buffer. */
function pendingBytes(socket: RealtimeSocket): number {
  const { writeBuffer, transport } = connectionOf(socket);
  const waiting = writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return waiting + (transport.socket?.bufferedAmount ?? 0);
}

/**
 * Disconnects sockets whose clients do not read what they are sent, so that they do not fill the memory of the instance. The
 * client reconnects and catches up from the database.
 * @returns the function that ends it
 */
export function disconnectSlowReaders(io: RealtimeServer, logger: Logger): () => void {
  const timer = setInterval(() => {
    for (const socket of io.sockets.sockets.values()) {
      const pending_bytes = pendingBytes(socket);
      if (pending_bytes <= PENDING_MAX_BYTES) continue;
      limited.inc({ limit: "slow_reader" });
      logger.warn({ user_id: socket.data.user.id, pending_bytes }, "slow reader disconnected");
      const connection = connectionOf(socket);
      socket.disconnect(true);
      // It would wait, with all that it holds, for the client to take it.
      connection.close(true);
      connection.transport.socket?.terminate();
    }
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
