import { BEATS_CHANNEL, beat } from "@messageoh/contracts/beat";
import { FRIENDSHIPS_CHANNEL, instanceChannel, SESSIONS_CHANNEL } from "@messageoh/contracts/bus";
import { listBetween } from "@messageoh/contracts/internal/messages";
import { parse } from "@messageoh/contracts/parse";
import type { Redis } from "@messageoh/service-kit/redis";
import { shardsOf } from "@messageoh/service-kit/shards";
import { createSubscriber } from "@messageoh/service-kit/subscriber";
import type { MessagesService } from "../sending/messagesService.ts";
import type { Seen } from "../types.ts";
import { createDelivery, type DeliveryOptions } from "./delivery.ts";
import { createPositions } from "./positions.ts";
import { watchSilence } from "./silence.ts";
import { createUserChannels } from "./userChannels.ts";

export interface EventDeliveryOptions extends Pick<DeliveryOptions, "io" | "originOf" | "logger"> {
  /** Unique name of this instance. */
  instance: string;
  redis: Redis;
  messagesService: MessagesService;
  /** Called with the text of each event about sessions and friendships. */
  onAccessEvent: (text: string) => void;
  /** Called when this instance has its subscription again. */
  onRestored: () => void;
  /** Called when this instance has read all messages that it missed. Other missed events are lost. */
  onSilenceEnd: () => void;
  /** Called when the result of `isLive` may have changed. */
  onCheck: () => void;
}

/** Subscribes to events on Redis, delivers them to the sockets of this instance, and reads what is missing. */
export function createEventDelivery(options: EventDeliveryOptions) {
  const { io, instance, redis, messagesService, logger } = options;
  const positions = createPositions(undefined, shardsOf(redis).length);
  const delivery = createDelivery({
    io,
    positions,
    readBetween: async (thread_id, after, before) =>
      (await messagesService.callFor(thread_id)(listBetween, { body: { thread_id, after, before } })).messages,
    originOf: options.originOf,
    logger,
  });

  const subscriber = createSubscriber(redis, logger, {
    onEvent(channel, event, shard) {
      if (channel === BEATS_CHANNEL) {
        positions.hear(parse(beat, JSON.parse(event)), shard);
        silence.check();
      } else if (channel === FRIENDSHIPS_CHANNEL || channel === SESSIONS_CHANNEL) {
        options.onAccessEvent(event);
      } else delivery.deliverEvent(channel.slice(channel.indexOf(":") + 1), event);
    },
    onRestored: options.onRestored,
    onLost() {
      positions.interrupt();
      silence.check();
    },
  });
  for (const channel of [instanceChannel(instance), BEATS_CHANNEL, SESSIONS_CHANNEL, FRIENDSHIPS_CHANNEL]) {
    void subscriber.add(channel);
  }

  const userChannels = createUserChannels(subscriber, delivery.forget);
  const silence = watchSilence({
    positions,
    callMessages: messagesService.callFor(instance),
    localUsers: userChannels.users,
    deliver(message) {
      for (const id of [message.recipient_user_id, message.sending_user_id]) delivery.deliver(id, { message });
    },
    onEnd: options.onSilenceEnd,
    onCheck: options.onCheck,
    logger,
  });

  return {
    userChannels,
    deliver: delivery.deliver,
    /** Records the position of a process, as a stream says it. */
    learn: positions.learn,
    /** Resolves with what a socket of the user has seen that connects now. */
    async seenBy(userId: string): Promise<Seen> {
      await silence.beforeConnecting(userId);
      return positions.seen();
    },
    /** Returns whether this instance receives the events of all processes that are up. */
    isLive: () => subscriber.isLive() && !positions.isCutOff(),
    close: silence.close,
  };
}
