import type {
  ClientEventName,
  ClientToServerEvents,
  clientEvents,
  ServerToClientEvents,
} from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { DefaultEventsMap, Server, Socket } from "socket.io";
import type * as z from "zod/mini";

/** What the server knows of a socket. Its user comes from the session, never from a payload. */
export interface SocketData {
  user: User;
  sessionId: string;
  /** Id of the handshake's request; each event of the socket gets it with a number behind. */
  requestId: string;
  connectedAt: number;
  /** Friends that this socket was told of already. */
  announcedFriends: Set<string>;
}

export type RealtimeServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;

/** The payload of an event, parsed. */
export type Payload<Name extends ClientEventName> = z.output<(typeof clientEvents)[Name]>;
