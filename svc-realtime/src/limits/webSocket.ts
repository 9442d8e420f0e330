import type { RealtimeSocket } from "../types.ts";

/** The part of the package `ws` that the limits use. */
export interface WebSocket {
  /** Bytes in the send buffer. */
  bufferedAmount: number;
  isPaused: boolean;
  pause: () => void;
  resume: () => void;
  terminate: () => void;
}

/** Returns the WebSocket of a socket; undefined while it polls. engine.io declares the field private. */
export const webSocketOf = ({ conn }: RealtimeSocket): WebSocket | undefined => Reflect.get(conn.transport, "socket");
