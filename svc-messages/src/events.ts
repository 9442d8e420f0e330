import { type MessageItem, type MessagesEvent, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import type { Marker } from "@messageoh/contracts/messages";
import type { Publish } from "@messageoh/service-kit/redis";

export type Events = ReturnType<typeof createEvents>;

/** Publishes what this service tells svc-realtime, on one channel per concerned user. */
export function createEvents(publish: Publish) {
  return {
    /** One event per user and write, with that user's messages in order. */
    messagesStored(items: readonly MessageItem[]): void {
      const itemsOf = new Map<string, MessageItem[]>();
      for (const item of items) {
        for (const userId of [item.message.recipient_user_id, item.message.sending_user_id]) {
          const own = itemsOf.get(userId);
          if (own) own.push(item);
          else itemsOf.set(userId, [item]);
        }
      }
      const published_at = Date.now();
      publish(
        [...itemsOf].map(([userId, own]): [string, MessagesEvent] => [
          userChannel(userId),
          { type: "messages", published_at, items: own },
        ]),
      );
    },

    /** Both members of the thread learn of each: the friend's ticks and the user's own other tabs. */
    markersMoved(moved: readonly { marker: Marker; members: readonly string[]; request_id: string }[]): void {
      publish(
        moved.flatMap(({ marker, members, request_id }) => {
          const event: UserEvent = { type: "marker", marker, request_id };
          return members.map((userId) => [userChannel(userId), event] as const);
        }),
      );
    },
  };
}
