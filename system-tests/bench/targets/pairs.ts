import { connectSocket, type SocketConnection, type SocketOptions } from "../../client/socketConnection.ts";

/** Connects two users of a thread to two different instances, or to the only one. */
export async function connectPair(
  thread_id: string,
  first: SocketOptions & { id: string },
  second: SocketOptions & { id: string },
  isOnly = false,
): Promise<[SocketConnection, SocketConnection]> {
  const one = await connectSocket(first);
  const other = await connectSocket({ ...second, accepts: (instance) => isOnly || instance !== one.instance });
  one.route = { thread_id, sending_user_id: first.id, recipient_user_id: second.id };
  other.route = { thread_id, sending_user_id: second.id, recipient_user_id: first.id };
  return [one, other];
}
