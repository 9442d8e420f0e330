import { SENDING_TOO_FAST, SENT_ENOUGH_TODAY, TOO_FAST } from "@messageoh/contracts/errorTexts";
import { TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import type { ClientEventName } from "@messageoh/contracts/realtime";
import { createFixedWindows } from "@messageoh/service-kit/fixedWindows";
import type { LimitRow } from "@messageoh/service-kit/limitTable";
import { limited, type Rate } from "@messageoh/service-kit/rateLimit";
import type { Redis } from "@messageoh/service-kit/redis";
import { createSharedQuota } from "@messageoh/service-kit/sharedQuota";
import { Refusal } from "../refusal.ts";

/** The rate limits of client events. Each instance counts per user; all instances share the count of `daily_bytes`. */
export const RATE_LIMITS = {
  events: {
    setting: "LIMIT_EVENTS_PER_USER",
    fallback: "2000/10",
    counts:
      "Packets per user, read more slowly above it; 200 characters count as one, an invalid event as 30, a refused one as 10",
    text: TOO_FAST,
  },
  sends: {
    setting: "LIMIT_SENDS_PER_USER",
    fallback: "500/10",
    counts: "Messages per user",
    text: SENDING_TOO_FAST,
  },
  daily_bytes: {
    setting: "LIMIT_DAILY_BYTES_PER_USER",
    fallback: "50000000/86400",
    counts: "Bytes of text per user on all instances; a message counts as at least 2,500 bytes",
    text: SENT_ENOUGH_TODAY,
  },
  rooms: {
    setting: "LIMIT_ROOMS_PER_USER",
    fallback: "20000/60",
    counts: "Rooms joined per user",
    text: TOO_FAST,
  },
  friends: {
    setting: "LIMIT_FRIEND_EVENTS_PER_USER",
    fallback: "200/60",
    counts: "New friends announced per user",
    text: TOO_FAST,
  },
  deliveries: {
    setting: "LIMIT_DELIVERIES_PER_USER",
    fallback: "3000/15",
    counts: "Delivery receipts per user",
    text: TOO_FAST,
  },
  typing: {
    setting: "LIMIT_TYPING_PER_USER",
    fallback: "600/60",
    counts: "Typing indicator changes per user",
    text: TOO_FAST,
  },
} as const satisfies Record<string, LimitRow>;
type LimitName = keyof typeof RATE_LIMITS;
type LocalLimitName = Exclude<LimitName, "daily_bytes">;
export type EventRates = Record<LimitName, Rate>;

/** The limit of each event. It is applied before the payload is parsed. */
export const LIMIT_OF: Record<ClientEventName, LocalLimitName> = {
  join_add_friend_room: "rooms",
  join_room: "rooms",
  send_message: "sends",
  add_friend: "friends",
  message_delivered: "deliveries",
  typing: "typing",
};

/** A short message counts as this many bytes, so that the daily quota also limits the number of messages. */
const MESSAGE_MIN_BYTES = 2_500;

export type EventLimits = ReturnType<typeof createEventLimits>;

/** Creates the rate limits. They never wait for Redis, so the messages of a socket keep their order. */
export function createEventLimits(rates: EventRates, redis: Redis) {
  const dailyBytes = createSharedQuota({ redis, name: "daily_bytes", rate: rates.daily_bytes });
  const { daily_bytes: _, ...localRates } = rates;
  const windowsOf = Object.fromEntries(
    Object.entries(localRates).map(([name, rate]) => [name, createFixedWindows(rate)]),
  ) as Record<LocalLimitName, ReturnType<typeof createFixedWindows>>;

  function refusalOf(name: LimitName, isRetryable: boolean): Refusal {
    limited.inc({ limit: name });
    return new Refusal(RATE_LIMITS[name].text, isRetryable);
  }

  return {
    /** Counts an event of a user. Returns a retryable refusal over the limit. */
    takeEvent(name: ClientEventName, userId: string): Refusal | undefined {
      return windowsOf[LIMIT_OF[name]].spend(userId).excess > 0 ? refusalOf(LIMIT_OF[name], true) : undefined;
    },

    /** Counts the text of a message. Throws a final {@link Refusal} if the user's daily quota is used up. */
    takeText(userId: string, { text, forward_of }: { text: string; forward_of?: unknown }): void {
      // The text of a forwarded message is not known here.
      const bytes = forward_of ? 4 * TEXT_MAX_CHARACTERS : Math.max(MESSAGE_MIN_BYTES, Buffer.byteLength(text));
      if (!dailyBytes.spend(userId, bytes)) throw refusalOf("daily_bytes", false);
    },

    /** Resolves when the other instances can see the quota that was used here. */
    flush: dailyBytes.flush,
  };
}
