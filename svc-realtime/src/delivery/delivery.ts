import { type MessageItem, parseUserEvent } from "@messageoh/contracts/bus";
import { type Message, storedAt } from "@messageoh/contracts/messages";
import type { ServerPayload } from "@messageoh/contracts/realtime";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { createInOrder, type InOrderOptions } from "./inOrder.ts";
import type { Received } from "./received.ts";
import { RecentSet } from "./recentSet.ts";

const SEEN_MAX = 200_000;
const SEEN_FOR_MS = 5 * 60_000;
/** An event that took longer was held up: its messages may have been found in the database meanwhile. */
const HELD_UP_MS = 2_000;

const delivered = new Counter({
  name: "messageoh_realtime_deliveries_total",
  help: "Messages of events, emitted to a user's sockets",
});
const deliverySeconds = new Histogram({
  name: "messageoh_realtime_delivery_seconds",
  help: "From the publishing of an event to its emitting, by the clocks of both hosts",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const replayed = new Counter({
  name: "messageoh_realtime_replayed_messages_total",
  help: "Messages emitted that no event had brought, found in the database",
});
const duplicates = new Counter({
  name: "messageoh_realtime_duplicate_messages_total",
  help: "Messages of events that had been emitted before, and were not again",
});

/** A message on its way to a user's sockets, from an event or (without `item`) from the database. */
interface Arrival {
  message: Message;
  item?: MessageItem;
  /** Only sockets that were connected at this time get it: later ones have it from elsewhere. */
  by?: number;
}

export interface DeliveryOptions {
  io: RealtimeServer;
  received: Received;
  fetchBetween: InOrderOptions<Arrival>["fetchBetween"];
  logger: Logger;
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Brings events to the sockets that this instance holds: each message once per user, in the order of its thread. */
export function createDelivery({ io, received, fetchBetween, logger }: DeliveryOptions) {
  const seen = new RecentSet(SEEN_MAX, SEEN_FOR_MS);
  const isNew = (userId: string, messageId: string) => seen.add(userId + messageId);

  const socketIdsOf = (userId: string) => io.sockets.adapter.rooms.get(userRoom(userId));

  /** Its ack tells the socket that a message came from, which is mostly the only one its user has here. */
  function isOnlySocket(userId: string, socketId: string): boolean {
    const ids = socketIdsOf(userId);
    return ids?.size === 1 && ids.has(socketId);
  }

  const socketsOf = (userId: string): RealtimeSocket[] =>
    [...(socketIdsOf(userId) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? []);

  function announceFriend(userId: string, payload: ServerPayload<"received_add_new_friend">): void {
    for (const socket of socketsOf(userId)) {
      if (socket.data.announcedFriends.has(payload.current_user.id)) continue;
      socket.data.announcedFriends.add(payload.current_user.id);
      socket.emit("received_add_new_friend", payload);
    }
  }

  function emitMessage(userId: string, message: Message, { by = Number.POSITIVE_INFINITY, except = "" }): void {
    for (const socket of socketsOf(userId)) {
      if (socket.data.connectedAt <= by && socket.id !== except) socket.emit("receive_message", message);
    }
  }

  function releaseItem(userId: string, { message, origin, is_repeat, request_id, traced }: MessageItem, by?: number) {
    const isOwn = message.sending_user_id === userId;
    if (isOwn && isOnlySocket(userId, origin)) return;
    if (!isNew(userId, message.id)) {
      duplicates.inc();
      return;
    }
    if (!isOwn) received.add(userId, storedAt(message.id));
    const emit = () => emitMessage(userId, message, is_repeat ? { by: storedAt(message.id) } : { by, except: origin });
    if (traced) {
      const attributes = { "messageoh.request_id": request_id, "messageoh.message_id": message.id };
      inSpan("deliver message", { kind: SpanKind.CONSUMER, of: traced, attributes }, emit);
    } else emit();
    delivered.inc();
    logger.debug({ request_id, message_id: message.id, to_user_id: userId }, "delivered");
  }

  function releaseMissed(userId: string, message: Message): void {
    if (!isNew(userId, message.id)) return;
    received.add(userId, storedAt(message.id));
    emitMessage(userId, message, { by: storedAt(message.id) });
    replayed.inc();
  }

  const inOrder = createInOrder<Arrival>({
    release: (userId, { message, item, by }) => (item ? releaseItem(userId, item, by) : releaseMissed(userId, message)),
    fetchBetween,
    // Only its event tells which socket a message came from, and must not get it again.
    toArrival: (userId, message) => (message.sending_user_id === userId ? null : { message }),
    logger,
  });

  return {
    /** One event from a user's channel. */
    deliver(userId: string, text: string): void {
      const event = parseUserEvent(text);
      const room = io.local.to(userRoom(userId));
      switch (event.type) {
        case "messages": {
          const took = Math.max(0, Date.now() - event.published_at);
          deliverySeconds.observe(took / 1_000);
          const by = took > HELD_UP_MS ? event.published_at : undefined;
          for (const item of event.items) inOrder.push(userId, { message: item.message, item, by });
          break;
        }
        case "marker": {
          const { kind, ...moved } = event.marker;
          room.emit(kind === "read" ? "message_read" : "message_delivered", moved);
          break;
        }
        case "friend_added":
          announceFriend(userId, { current_user: event.friend, message_thread: event.message_thread });
          break;
        case "user_updated":
          for (const socket of socketsOf(userId)) {
            if (socket.data.user.id === event.user.id) socket.data.user = event.user;
          }
          room.emit("user_updated", { user: event.user });
          break;
      }
    },

    /** A message found in the database: emitted if no event brought it. */
    deliverMissed: (message: Message) => inOrder.push(message.recipient_user_id, { message }),

    /** The user's last socket here is gone. */
    forget: inOrder.forget,
  };
}
