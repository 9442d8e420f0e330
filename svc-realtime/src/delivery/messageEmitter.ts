import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { disconnectSlowConsumer } from "../limits/slowConsumers.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { createEmitThrottle } from "./emitThrottle.ts";
import { socketsOf } from "./userSockets.ts";

/** Emitting a message to a socket takes as long as this many bytes, in addition to its text. */
const EMIT_BYTES = 1_000;

/** Emits messages to sockets of this instance, at a limited rate per user. */
export function createMessageEmitter(io: RealtimeServer, logger: Logger) {
  const throttle = createEmitThrottle((userId, waitingBytes) => {
    for (const socket of socketsOf(io, userId)) disconnectSlowConsumer(socket, waitingBytes, logger);
  });

  return {
    /** Emits a message to sockets of a user now, or as soon as the rate of the user allows it. */
    emit(userId: string, message: Message, sockets: readonly RealtimeSocket[]): void {
      const [first] = sockets;
      if (!first) return;
      // A broadcast encodes the message once for all sockets, but costs more for a single one. Each socket is in a room of
      // its own.
      const target = sockets.length === 1 ? first : io.local.to(sockets.map(({ id }) => id));
      const bytes = Buffer.byteLength(message.text) + EMIT_BYTES;
      const emit = () => void target.emit("receive_message", message);
      throttle.emit(userId, { threadId: message.thread_id, bytes, cost: bytes * sockets.length, emit });
    },

    /** Drops what waits for a user whose last socket here disconnected. */
    forget: throttle.forget,
  };
}
