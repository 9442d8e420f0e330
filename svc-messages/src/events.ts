import { type UserEvent, userChannel } from "@messageoh/contracts/bus";
import type { Marker, NewMessage } from "@messageoh/contracts/messages";
import type { Publish } from "@messageoh/service-kit/redis";
import { toMessage } from "./message.model.ts";
import type { Stored } from "./storeBatch.ts";

type MessageItems = Extract<UserEvent, { type: "messages" }>["items"];

export type Events = ReturnType<typeof createEvents>;

/** What this service tells svc-realtime, on one channel per concerned user. */
export function createEvents(publish: Publish) {
  return {
    /** One event per user and write, holding that user's messages in order. */
    messagesStored(stored: readonly Stored[], of: readonly NewMessage[]): void {
      const itemsOf = new Map<string, MessageItems>();
      stored.forEach(({ row, isRepeat }, index) => {
        const { origin = "", request_id = "" } = of[index] ?? {};
        const item = { message: toMessage(row, false), is_repeat: isRepeat, origin, request_id };
        for (const userId of [row.recipient_user_id, row.sending_user_id]) {
          const items = itemsOf.get(userId);
          if (items) items.push(item);
          else itemsOf.set(userId, [item]);
        }
      });
      const published_at = Date.now();
      publish(
        [...itemsOf].map(([userId, items]) => {
          const event: UserEvent = { type: "messages", items, published_at };
          return [userChannel(userId), event];
        }),
      );
    },

    /** Both members learn of it: the friend's ticks and the user's own other tabs. */
    markerMoved(marker: Marker, members: readonly string[], request_id: string): void {
      const event: UserEvent = { type: "marker", marker, request_id };
      publish(members.map((userId) => [userChannel(userId), event] as const));
    },
  };
}
