import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { disconnectSlowConsumer } from "../limits/slowConsumers.ts";
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
      const [first, second] = socketsOf(io, userId);
      return first?.id === socketId && !second;
    },

    /**
     * Emits a message now, or as soon as the rate of the user allows it. A socket that connects meanwhile does not get it.
     * Returns whether the user has a socket for it.
     */
    emit(userId: string, message: Message, { connectedBy = Infinity, exceptSocket }: MessageTarget): boolean {
      const ids = socketsOf(io, userId)
        .filter(({ id, data }) => data.connectedAt <= connectedBy && id !== exceptSocket)
        .map(({ id }) => id);
      if (ids.length === 0) return false;
      const bytes = Buffer.byteLength(message.text) + EMIT_BYTES;
      // A broadcast encodes the message once for all sockets. Each socket is in a room of its own.
      const emit = () => void io.local.to(ids).emit("receive_message", message);
      throttle.emit(userId, { threadId: message.thread_id, bytes, cost: bytes * ids.length, emit });
      return true;
    },

    /** Drops what waits for a user whose last socket here disconnected. */
    forget: throttle.forget,
  };
}
