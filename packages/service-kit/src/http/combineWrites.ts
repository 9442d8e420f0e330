import { nextTick } from "node:process";
import type { Duplex } from "node:stream";

/**
 * Writes the frames that a WebSocket sends in one turn of the event loop with one system call. `ws` uncorks the
 * connection after each frame; this keeps it corked until the turn ends.
 * @param connection the connection below the WebSocket
 */
export function combineWrites(connection: Duplex): void {
  const uncork = connection.uncork.bind(connection);
  connection.uncork = () => nextTick(uncork);
}
