import { FRIENDSHIPS_CHANNEL, friendshipEvent, SESSIONS_CHANNEL, sessionEvent } from "@messageoh/contracts/bus";
import { listBetween } from "@messageoh/contracts/messages";
import type { FriendshipChange } from "@messageoh/contracts/users";
import type { Logger } from "@messageoh/service-kit/logger";
import { createSubscriber, type Redis } from "@messageoh/service-kit/redis";
import type { MessagesService } from "../sending/messagesService.ts";
import type { RealtimeServer } from "../types.ts";
import { createBackfill } from "./backfill.ts";
import { createDelivery } from "./delivery.ts";
import { DeliveryLog } from "./deliveryLog.ts";
import { ServiceClocks } from "./serviceClocks.ts";
import { createUserChannels } from "./userChannels.ts";

export interface EventDeliveryOptions {
  io: RealtimeServer;
  /** Unique name of this instance. */
  instance: string;
  redis: Redis;
  messagesService: MessagesService;
  onSessionEnded: (sessionId: string, userId: string) => void;
  onFriendshipChanged: (change: FriendshipChange) => void;
  /** Called when this instance stops receiving events. */
  onLost: () => void;
  /** Called when this instance receives events again. Events in between are lost. */
  onRestored: () => void;
  logger: Logger;
}

/** Subscribes to events on Redis, delivers them to the sockets of this instance, and backfills lost ones from the database. */
export function createEventDelivery(options: EventDeliveryOptions) {
  const { io, instance, redis, messagesService, onSessionEnded, onFriendshipChanged, onLost, onRestored, logger } =
    options;
  const deliveryLog = new DeliveryLog();
  const clocks = new ServiceClocks();
  const delivery = createDelivery({
    io,
    deliveryLog,
    fetchBetween: async (thread_id, after, before) =>
      (await messagesService.callFor(thread_id)(listBetween, { body: { thread_id, after, before } })).messages,
    mayMissEvents: () => backfill.isPending(),
    clocks,
    onBackfilled: () => backfill.noticeLoss(),
    logger,
  });

  const subscriber = createSubscriber(redis, logger, {
    onEvent(channel, event) {
      if (channel === FRIENDSHIPS_CHANNEL) {
        onFriendshipChanged(friendshipEvent.parse(JSON.parse(event)).change);
      } else if (channel === SESSIONS_CHANNEL) {
        const { session_id, user_id } = sessionEvent.parse(JSON.parse(event));
        onSessionEnded(session_id, user_id);
      } else delivery.deliverEvent(channel.slice(channel.indexOf(":") + 1), event);
    },
    onRestored() {
      onRestored();
      backfill.request();
    },
    onLost() {
      onLost();
      backfill.request();
    },
  });
  void subscriber.add(SESSIONS_CHANNEL);
  void subscriber.add(FRIENDSHIPS_CHANNEL);

  const userChannels = createUserChannels(subscriber, delivery.forget);
  const backfill = createBackfill({
    callMessages: messagesService.callFor(instance),
    delivery,
    deliveryLog,
    clocks,
    localUsers: userChannels.users,
    isLive: subscriber.isLive,
    logger,
  });

  return {
    userChannels,
    /** Returns whether this instance receives events now. */
    isLive: subscriber.isLive,
    /** Learns the time of svc-messages, which tells a socket that connected after a message was stored. */
    learnTime: backfill.learnTime,
    /** Records the clock of the svc-messages process whose response arrived now; `requestedAt` is a local time. */
    observeClock: clocks.observe.bind(clocks),
    close: backfill.close,
  };
}
