import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { disconnectSlowConsumer } from "../limits/slowConsumers.ts";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer } from "../types.ts";
import { createEmitThrottle } from "./emitThrottle.ts";
import { socketsOf } from "./userSockets.ts";

/** Emitting a message to a socket takes as long as this many bytes, in addition to its text. */
const EMIT_BYTES = 1_000;

export interface MessageTarget {
  /** Only sockets connected by this time of the monotonic clock get the message: later ones fetched it. */
  connectedBy?: number | undefined;
  /** Id of a socket that does not get the message. */
  exceptSocket?: string | undefined;
}

/** Emits messages to the sockets of a user on this instance, at a limited rate. */
export function createMessageEmitter(io: RealtimeServer, logger: Logger) {
  const throttle = createEmitThrottle((userId, waitingBytes) => {
    for (const socket of socketsOf(io, userId)) disconnectSlowConsumer(socket, waitingBytes, logger);
  });

  return {
    /** Returns whether the user has this socket here and no other. */
    isOnlySocket(userId: string, socketId: string): boolean {
      const ids = io.sockets.adapter.rooms.get(userRoom(userId));
      return ids?.size === 1 && ids.has(socketId);
    },

    /**
     * Emits a message now, or as soon as the rate of the user allows it. A socket that connects meanwhile does not get it.
     * Returns whether the user has a socket for it.
     */
    emit(userId: string, message: Message, { connectedBy = Infinity, exceptSocket }: MessageTarget): boolean {
      const sockets = socketsOf(io, userId).filter(
        ({ id, data }) => data.connectedAt <= connectedBy && id !== exceptSocket,
      );
      const [first] = sockets;
      if (!first) return false;
      // A broadcast encodes the message once for all sockets, but costs more for a single one. Each socket is in a room of
      // its own.
      const target = sockets.length === 1 ? first : io.local.to(sockets.map(({ id }) => id));
      const bytes = Buffer.byteLength(message.text) + EMIT_BYTES;
      const emit = () => void target.emit("receive_message", message);
      throttle.emit(userId, { threadId: message.thread_id, bytes, cost: bytes * sockets.length, emit });
      return true;
    },

    /** Drops what waits for a user whose last socket here disconnected. */
    forget: throttle.forget,
  };
}
