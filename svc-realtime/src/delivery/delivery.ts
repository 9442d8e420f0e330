import { parseUserEvent } from "@messageoh/contracts/bus";
import type { Message } from "@messageoh/contracts/messages";
import type { ServerEventName, ServerPayload, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { Counter } from "@messageoh/service-kit/metrics";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import { socketsOf, userRoom } from "../rooms.ts";
import type { RealtimeServer } from "../types.ts";
import type { Positions } from "./positions.ts";
import { type Arrival, createSequencer, type SequencerOptions } from "./sequencer.ts";

const deliveries = new Counter({
  name: "messageoh_realtime_deliveries_total",
  help: "Messages emitted to a user's sockets because of an event or a result",
});
const backfilled = new Counter({
  name: "messageoh_realtime_backfilled_messages_total",
  help: "Messages emitted from the database because no event delivered them",
});

export interface DeliveryOptions extends Pick<SequencerOptions, "readBetween" | "logger"> {
  io: RealtimeServer;
  positions: Positions;
  /** Returns the id of the socket that waits here for the result of a message, and needs no event. */
  originOf: (message: Message) => string | undefined;
}

/** Delivers events to the sockets of this instance: each message once per user, in the sequence order of its thread. */
export function createDelivery({ io, positions, readBetween, originOf, logger }: DeliveryOptions) {
  function emitMessage(userId: string, { message, is_repeat, request_id, traced, ...arrival }: Arrival): void {
    const isNew = is_repeat === false;
    const origin = arrival.origin ?? originOf(message);
    const targets = socketsOf(io, userId).filter(
      ({ id, data }) => id !== origin && !positions.wasStoredBefore(data.seen, message.id, isNew),
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
    if (id === undefined) return false;
    return socketsOf(io, userId).some(({ data }) => !positions.wasStoredBefore(data.seen, id, false));
  }

  const sequencer = createSequencer({ release: emitMessage, readBetween, mayMissEarlier, logger });

  /** Delivers a message to one of its users, unless it was emitted before. */
  function deliver(userId: string, arrival: Arrival): void {
    // A client that is still connecting requests later what was stored before.
    if (io.sockets.adapter.rooms.has(userRoom(userId))) sequencer.push(userId, arrival);
  }

  /** Emits any other event to a user. */
  function emit<Name extends ServerEventName>(userId: string, name: Name, payload: ServerPayload<Name>): void {
    const args = [payload] as unknown as Parameters<ServerToClientEvents[Name]>;
    io.local.to(userRoom(userId)).emit(name, ...args);
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
          emit(userId, kind === "read" ? "message_read" : "message_delivered", marker);
          break;
        }
        case "friend_added":
          // Once per socket: svc-users and the friend's client both send the event.
          for (const socket of socketsOf(io, userId)) {
            if (socket.data.announcedFriends.has(event.friend.id)) continue;
            socket.data.announcedFriends.add(event.friend.id);
            const { friend: current_user, message_thread } = event;
            socket.emit("received_add_new_friend", { current_user, message_thread });
          }
          break;
        case "friend_changed": {
          const { friend_id: user_id, is_muted, has_notice } = event;
          emit(userId, "friend_changed", { user_id, is_muted, has_notice });
          break;
        }
        case "user_updated":
          for (const { data } of socketsOf(io, userId)) if (data.user.id === event.user.id) data.user = event.user;
          emit(userId, "user_updated", { user: event.user });
          break;
        default: {
          const { type, request_id, ...payload } = event;
          emit(userId, type, payload);
        }
      }
    },
    deliver,
    /** Drops the state of a user whose last socket here disconnected. */
    forget: sequencer.forget,
  };
}
