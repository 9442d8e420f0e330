import type { Beat } from "@messageoh/contracts/beat";
import type {
  ClientEventName,
  ClientToServerEvents,
  clientEvents,
  ServerToClientEvents,
} from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { DefaultEventsMap, Server, Socket } from "socket.io";
import type * as v from "valibot";

/** What an instance knew when a socket connected. */
export interface Seen {
  /** Time of the monotonic clock, in milliseconds. */
  at: number;
  /** The position of each process that publishes events, by name. */
  positions: ReadonlyMap<string, Pick<Beat, "position" | "unknown">>;
}

/** State of a socket on this instance. The user comes from the session, never from a payload. */
interface SocketData {
  user: User;
  sessionId: string;
  /** Request id of the handshake. The request ids of the socket's events start with it. */
  requestId: string;
  /** What this instance knew when the socket connected: the client's first request returns all before. */
  seen: Seen;
  /** Ids of the friends that were announced to this socket. */
  announcedFriends: Set<string>;
  /** The friends whose rooms the socket, or an earlier one of the user, joined: thread id to friend id. */
  friends: Map<string, string>;
  /** Whether the user was offline before this socket connected. */
  cameOnline: Promise<boolean>;
}

export type RealtimeServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;

/** The parsed payload of an event. */
export type Payload<Name extends ClientEventName> = v.InferOutput<(typeof clientEvents)[Name]>;
