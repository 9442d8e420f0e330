import { decodeMessages, type MessageItem, userEvent } from "@messageoh/contracts/bus";
import { type Message, storedAt } from "@messageoh/contracts/messages";
import type { ServerPayload } from "@messageoh/contracts/realtime";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import type { Received } from "./received.ts";
import { RecentSet } from "./recentSet.ts";
import { userRoom } from "./rooms.ts";
import { serialised } from "./serialised.ts";
import type { Traces } from "./traces.ts";
import type { RealtimeServer, RealtimeSocket } from "./types.ts";

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

export type Delivery = ReturnType<typeof createDelivery>;

/** Brings events to the sockets that this instance holds. Each message reaches a user's sockets here once. */
export function createDelivery(io: RealtimeServer, received: Received, traces: Traces, logger: Logger) {
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

  /** To the sockets that were there `by` a moment: one that came later may have had it on another instance. */
  function emitMessage(userId: string, json: string, { by = Number.POSITIVE_INFINITY, except = "" }): void {
    for (const socket of socketsOf(userId)) {
      if (socket.data.connectedAt <= by && socket.id !== except) socket.emit("receive_message", serialised(json));
    }
  }

  function deliverMessage(userId: string, item: MessageItem, by: number | undefined): void {
    if (item.is_own && isOnlySocket(userId, item.origin)) return;
    if (!isNew(userId, item.id)) {
      duplicates.inc();
      return;
    }
    if (!item.is_own) received.add(userId, storedAt(item.id));
    const to = item.is_repeat ? { by: storedAt(item.id) } : { by, except: item.origin };
    if (item.traceparent) traces.deliver(item, (json) => emitMessage(userId, json, to));
    else emitMessage(userId, item.json, to);
    delivered.inc();
    logger.debug({ request_id: item.request_id, message_id: item.id, to_user_id: userId }, "delivered");
  }

  return {
    /** One event from a user's channel. */
    deliver(userId: string, text: string): void {
      const messages = decodeMessages(text);
      if (messages) {
        const took = Math.max(0, Date.now() - messages.published_at);
        deliverySeconds.observe(took / 1_000);
        for (const item of messages.items) {
          deliverMessage(userId, item, took > HELD_UP_MS ? messages.published_at : undefined);
        }
        return;
      }
      const event = userEvent.parse(JSON.parse(text));
      const room = io.local.to(userRoom(userId));
      switch (event.type) {
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
    deliverMissed(message: Message): void {
      const userId = message.recipient_user_id;
      if (!isNew(userId, message.id)) return;
      received.add(userId, storedAt(message.id));
      emitMessage(userId, JSON.stringify(message), { by: storedAt(message.id) });
      replayed.inc();
    },
  };
}
