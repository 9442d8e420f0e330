import { type MessageItem, parseUserEvent } from "@messageoh/contracts/bus";
import { type Message, storedAt } from "@messageoh/contracts/messages";
import type { Logger } from "@messageoh/service-kit/logger";
import { Counter, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import type { RealtimeServer } from "../types.ts";
import type { DeliveryLog } from "./deliveryLog.ts";
import { createMessageEmitter } from "./messageEmitter.ts";
import { RecentSet } from "./recentSet.ts";
import { createReorderBuffer, type ReorderBufferOptions } from "./reorderBuffer.ts";
import { processOf, type ServiceClocks } from "./serviceClocks.ts";
import { createUserSockets, socketsOf } from "./userSockets.ts";

const EMITTED_MAX = 200_000;
const EMITTED_KEEP_MS = 5 * 60_000;
/** An event that took longer may be late: sockets that connected after it was published may have fetched its messages. */
const LATE_EVENT_MS = 250;

const deliveries = new Counter({
  name: "messageoh_realtime_deliveries_total",
  help: "Messages emitted to a user's sockets because of an event",
});
const deliverySeconds = new Histogram({
  name: "messageoh_realtime_delivery_seconds",
  help: "Time from publishing an event to emitting it, by the clocks of both hosts",
  buckets: LATENCY_BUCKETS_SECONDS,
});
const backfilled = new Counter({
  name: "messageoh_realtime_backfilled_messages_total",
  help: "Messages emitted from the database because no event delivered them",
});
const duplicates = new Counter({
  name: "messageoh_realtime_duplicate_messages_total",
  help: "Messages of events that were not emitted because they had been emitted before",
});

/** A message for a user's sockets, from an event or (without `item`) from the database. */
interface Arrival {
  message: Message;
  item?: MessageItem;
  /** Only sockets connected by this time of the monotonic clock get the message. */
  connectedBy?: number | undefined;
}

export interface DeliveryOptions {
  io: RealtimeServer;
  deliveryLog: DeliveryLog;
  fetchBetween: ReorderBufferOptions<Arrival>["fetchBetween"];
  /** Returns whether events may have been missed that the backfill has not delivered yet. */
  mayMissEvents: () => boolean;
  clocks: ServiceClocks;
  /** Called when a socket got a message from the database, because its event did not arrive. */
  onBackfilled: () => void;
  logger: Logger;
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Delivers events to the sockets of this instance: each message once per user, in the sequence order of its thread. */
export function createDelivery(options: DeliveryOptions) {
  const { io, deliveryLog, fetchBetween, mayMissEvents, clocks, onBackfilled, logger } = options;
  const sockets = createUserSockets(io);
  const messages = createMessageEmitter(io, logger);
  const emitted = new RecentSet(EMITTED_MAX, EMITTED_KEEP_MS);
  /** Returns the local time at which a message was stored. If it is unknown, every socket gets the message. */
  const storedLocallyAt = (messageId: string) => clocks.toLocal(processOf(messageId), storedAt(messageId));

  /** Returns whether a socket of the user may have been connected when the message before this one was stored. */
  function wasConnectedBefore(userId: string, { message, is_repeat, previous_id }: MessageItem): boolean {
    // A repeat does not name the message before it, which was not stored later.
    const id = is_repeat ? message.id : previous_id;
    const storedBy = id === undefined ? undefined : storedLocallyAt(id);
    return storedBy !== undefined && socketsOf(io, userId).some(({ data }) => data.connectedAt <= storedBy);
  }

  const isFirstEmit = (userId: string, messageId: string) => emitted.add(userId + messageId);

  function emitFromEvent(userId: string, item: MessageItem, connectedBy?: number): void {
    const { message, origin, is_repeat, request_id, traced } = item;
    const isSender = message.sending_user_id === userId;
    // The sending socket gets its ack instead; usually it is the sender's only socket here.
    if (isSender && messages.isOnlySocket(userId, origin)) return;
    if (!isFirstEmit(userId, message.id)) {
      duplicates.inc();
      return;
    }
    if (!isSender) deliveryLog.add(userId, storedAt(message.id));
    const target = { connectedBy: is_repeat ? storedLocallyAt(message.id) : connectedBy, exceptSocket: origin };
    const emit = () => void messages.emit(userId, message, target);
    if (traced) {
      const attributes = { "messageoh.request_id": request_id, "messageoh.message_id": message.id };
      inSpan("deliver message", { kind: SpanKind.CONSUMER, of: traced, attributes }, emit);
    } else emit();
    deliveries.inc();
    logger.debug({ request_id, message_id: message.id, recipient_user_id: userId }, "message delivered");
  }

  function emitFromDatabase(userId: string, message: Message): void {
    if (!isFirstEmit(userId, message.id)) return;
    deliveryLog.add(userId, storedAt(message.id));
    if (!messages.emit(userId, message, { connectedBy: storedLocallyAt(message.id) })) return;
    backfilled.inc();
    onBackfilled();
  }

  const buffer = createReorderBuffer<Arrival>({
    release(userId, { message, item, connectedBy }) {
      if (item) emitFromEvent(userId, item, connectedBy);
      else emitFromDatabase(userId, message);
    },
    fetchBetween,
    mayMissEarlier: (userId, { item }) => item !== undefined && (mayMissEvents() || wasConnectedBefore(userId, item)),
    // Only the event names the socket that sent a message and must not get it again.
    fromStored: (userId, message) => (message.sending_user_id === userId ? null : { message }),
    logger,
  });

  /** Returns the local time by which a socket must have connected to get an event: that of its publication if it is late. */
  function limitOf(items: readonly MessageItem[], publishedAt: number): number {
    const arrivedAt = performance.now();
    // The process that stored the message also published it, unless it repeats one of another process.
    const fresh = items.find((item) => !item.is_repeat);
    if (!fresh) return arrivedAt;
    const process = processOf(fresh.message.id);
    clocks.observe(process, publishedAt);
    const publishedLocallyAt = clocks.toLocal(process, publishedAt) ?? 0;
    return arrivedAt - publishedLocallyAt > LATE_EVENT_MS ? publishedLocallyAt : arrivedAt;
  }

  function pushItems(userId: string, items: readonly MessageItem[], publishedAt: number): void {
    deliverySeconds.observe(Math.max(0, Date.now() - publishedAt) / 1_000);
    const connectedBy = limitOf(items, publishedAt);
    for (const item of items) buffer.push(userId, { message: item.message, item, connectedBy });
  }

  return {
    /**
     * Delivers one event of a user's channel.
     * @throws SyntaxError or ZodError if the text is not such an event
     */
    deliverEvent(userId: string, text: string): void {
      const event = parseUserEvent(text);
      switch (event.type) {
        case "messages":
          pushItems(userId, event.items, event.published_at);
          break;
        case "marker": {
          const { kind, ...marker } = event.marker;
          sockets.emitMarker(userId, kind === "read" ? "message_read" : "message_delivered", marker);
          break;
        }
        case "friend_added":
          sockets.announceFriend(userId, { current_user: event.friend, message_thread: event.message_thread });
          break;
        case "friend_changed": {
          const { friend_id: user_id, is_muted, has_notice } = event;
          sockets.changeFriend(userId, { user_id, is_muted, has_notice });
          break;
        }
        case "user_updated":
          sockets.updateProfile(userId, event.user);
          break;
      }
    },

    /** Delivers a message from the database to its recipient, unless it was emitted before. */
    deliverBackfilled: (message: Message) => buffer.push(message.recipient_user_id, { message }),

    /** Drops the state of a user whose last socket here disconnected. */
    forget(userId: string): void {
      buffer.forget(userId);
      messages.forget(userId);
    },
  };
}
