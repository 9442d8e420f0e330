import type { RealtimeSocket } from "../types.ts";

/** A connection of engine.io, on which a socket may connect. */
export type Connection = RealtimeSocket["conn"];

/** The part of the package `ws` that the limits use. */
export interface WebSocket {
  /** Bytes in the send buffer. */
  bufferedAmount: number;
  isPaused: boolean;
  pause: () => void;
  resume: () => void;
  terminate: () => void;
}

/** Returns the WebSocket of a connection; undefined while it polls. engine.io declares the field private. */
export const webSocketOf = ({ transport }: Connection): WebSocket | undefined => Reflect.get(transport, "socket");
