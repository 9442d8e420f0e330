import { connectSocket, type SocketConnection, type SocketOptions } from "../../client/socketConnection.ts";

const TRIES_MAX = 50;

/** Connects two users to two different instances behind one address, or to the only one. */
export async function connectPair(
  first: SocketOptions,
  second: SocketOptions,
  isOnly = false,
): Promise<[SocketConnection, SocketConnection]> {
  const one = await connectSocket(first);
  if (one && isOnly) {
    const other = await connectSocket(second);
    if (other) return [one, other];
  }
  for (let tries = 0; one && tries < TRIES_MAX; tries += 1) {
    const other = await connectSocket({ ...second, wants: (instance) => instance !== one.instance });
    if (other) return [one, other];
  }
  throw new Error("The gateway routes all connections to the same instance");
}
