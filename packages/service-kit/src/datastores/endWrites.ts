// @ts-expect-error: the driver exports no types of its parts
import { Connection } from "mongodb/lib/cmap/connection.js";

interface DriverConnection {
  closed: boolean;
  socket: NodeJS.EventEmitter;
}

const { prototype } = Connection as { prototype: { cleanup: (error: Error) => void } };
const { cleanup } = prototype;

/**
 * Makes commands fail that the driver of MongoDB (7.9.0) is still writing when their connection closes. The driver
 * waits for the socket to drain, or for an error, and a socket that is closed after a timeout emits neither: the
 * command would never end, and would hold its place in the pool.
 */
prototype.cleanup = function (this: DriverConnection, error: Error) {
  if (this.closed) return;
  cleanup.call(this, error);
  this.socket.emit("error", error);
};
