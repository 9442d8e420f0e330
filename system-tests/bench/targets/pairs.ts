import { connectSocket, type SocketConnection, type SocketOptions } from "../../client/socketConnection.ts";

const ATTEMPTS_MAX = 50;

/** Connects two users to two different instances, or to the only one. */
export async function connectPair(
  first: SocketOptions,
  second: SocketOptions,
  isOnly = false,
): Promise<[SocketConnection, SocketConnection]> {
  const one = await connectSocket(first);
  for (let attempt = 0; one && attempt < ATTEMPTS_MAX; attempt += 1) {
    const accepts = (instance: string) => isOnly || instance !== one.instance;
    const other = await connectSocket({ ...second, accepts });
    if (other) return [one, other];
  }
  throw new Error("The gateway routes all connections to the same instance");
}
