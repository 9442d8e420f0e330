import { type MessageItem, parseUserEvent } from "@messageoh/contracts/bus";
import type { Message } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter } from "@messageoh/service-kit/metrics";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import type { Positions } from "./positions.ts";
import { createSequencer, type SequencerOptions } from "./sequencer.ts";
import { createUserSockets, socketsOf } from "./userSockets.ts";

const deliveries = new Counter({
  name: "messageoh_realtime_deliveries_total",
  help: "Messages emitted to a user's sockets because of an event or a result",
});
const backfilled = new Counter({
  name: "messageoh_realtime_backfilled_messages_total",
  help: "Messages emitted from the database because no event delivered them",
});

/**
 * A message for a user's sockets: from an event, from the result of its sender's request, or from the database, which
 * has the message only.
 */
export type Arrival = Pick<MessageItem, "message"> & Partial<MessageItem>;

export interface DeliveryOptions {
  io: RealtimeServer;
  positions: Positions;
  readBetween: SequencerOptions<Arrival>["readBetween"];
  /** Returns whether this instance waits for the result of a message of its own. */
  isUnderWay: (message: Message) => boolean;
  logger: Logger;
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Delivers events to the sockets of this instance: each message once per user, in the sequence order of its thread. */
export function createDelivery({ io, positions, readBetween, isUnderWay, logger }: DeliveryOptions) {
  const sockets = createUserSockets(io);

  const isNew = ({ is_repeat }: Arrival) => is_repeat === false;
  const wasStoredBefore = ({ data }: RealtimeSocket, id: string, isNewMessage: boolean) =>
    positions.wasStoredBefore(data.seen, id, isNewMessage);

  function emit(userId: string, arrival: Arrival): void {
    const { message, origin, request_id, traced } = arrival;
    const targets = socketsOf(io, userId).filter(
      (socket) => socket.id !== origin && !wasStoredBefore(socket, message.id, isNew(arrival)),
    );
    if (targets.length === 0) return;
    // A broadcast encodes the message once. Each socket is in a room of its own.
    const send = () => void io.local.to(targets.map(({ id }) => id)).emit("receive_message", message);
    if (traced) {
      const attributes = { "messageoh.request_id": request_id, "messageoh.message_id": message.id };
      inSpan("deliver message", { kind: SpanKind.CONSUMER, of: traced, attributes }, send);
    } else send();
    (origin === undefined ? backfilled : deliveries).inc();
    logger.debug({ request_id, message_id: message.id, recipient_user_id: userId }, "message delivered");
  }

  /** Returns whether a socket of the user was connected when the message before this one was stored. */
  function mayMissEarlier(userId: string, { message, is_repeat, previous_id }: Arrival): boolean {
    // A repeat does not name the message before it, which was stored no later than the repeat itself.
    const id = is_repeat === false ? previous_id : message.id;
    return id !== undefined && socketsOf(io, userId).some((socket) => !wasStoredBefore(socket, id, false));
  }

  const sequencer = createSequencer<Arrival>({
    release: emit,
    readBetween,
    mayMissEarlier,
    fromStored: (message) => (isUnderWay(message) ? null : { message }),
    logger,
  });

  function deliver(userId: string, arrival: Arrival): void {
    // A client that is still connecting requests later what was stored before.
    if (io.sockets.adapter.rooms.has(userRoom(userId))) sequencer.push(userId, arrival);
  }

  return {
    /**
     * Delivers one event of a user's channel.
     * @throws SyntaxError or InvalidValue if the text is not such an event
     */
    deliverEvent(userId: string, text: string): void {
      const event = parseUserEvent(text);
      switch (event.type) {
        case "messages":
          for (const item of event.items) deliver(userId, item);
          break;
        case "marker": {
          const { kind, ...marker } = event.marker;
          sockets.emit(userId, kind === "read" ? "message_read" : "message_delivered", marker);
          break;
        }
        case "friend_added":
          sockets.announceFriend(userId, { current_user: event.friend, message_thread: event.message_thread });
          break;
        case "friend_changed": {
          const { friend_id: user_id, is_muted, has_notice } = event;
          sockets.emit(userId, "friend_changed", { user_id, is_muted, has_notice });
          break;
        }
        case "user_updated":
          sockets.updateProfile(userId, event.user);
          break;
        default: {
          const { type, request_id, ...payload } = event;
          sockets.emit(userId, type, payload);
        }
      }
    },

    /** Delivers a stored message to the sender's other sockets here. */
    deliverSent: (item: MessageItem): void => deliver(item.message.sending_user_id, item),

    /** Delivers a message from the database to its recipient, unless it was emitted before. */
    deliverStored: (message: Message): void => deliver(message.recipient_user_id, { message }),

    /** Drops the state of a user whose last socket here disconnected. */
    forget: sequencer.forget,
  };
}
