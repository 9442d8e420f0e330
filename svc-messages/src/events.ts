import { encodeMessages, type MessageItem, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import type { Marker, NewMessage } from "@messageoh/contracts/messages";
import type { Publish } from "@messageoh/service-kit/redis";
import type { Step } from "@messageoh/service-kit/tracing";
import type { Stored } from "./storeBatch.ts";
import { tracePublishing } from "./tracing.ts";

export type Events = ReturnType<typeof createEvents>;

/** What this service tells svc-realtime, on one channel per concerned user. */
export function createEvents(publish: Publish) {
  return {
    /** One event per user and write, holding that user's messages in order. */
    messagesStored(stored: readonly Stored[], of: readonly NewMessage[]): void {
      const itemsOf = new Map<string, MessageItem[]>();
      const steps: Step[] = [];
      const add = (userId: string, item: MessageItem) => {
        const items = itemsOf.get(userId);
        if (items) items.push(item);
        else itemsOf.set(userId, [item]);
      };
      stored.forEach(({ row, json, isRepeat }, index) => {
        const { origin = "", request_id = "", traceparent } = of[index] ?? {};
        const item = { id: row.id, is_own: false, is_repeat: isRepeat, origin, request_id, json };
        const step = tracePublishing(traceparent, row.id);
        // A trace goes to the other person; the sender's own other tabs are not its end.
        add(row.recipient_user_id, step ? { ...item, traceparent: step.traceparent } : item);
        add(row.sending_user_id, { ...item, is_own: true });
        if (step) steps.push(step);
      });
      const published_at = Date.now();
      publish([...itemsOf].map(([userId, items]) => [userChannel(userId), encodeMessages({ published_at, items })]));
      for (const step of steps) step.end();
    },

    /** Both members learn of it: the friend's ticks and the user's own other tabs. */
    markerMoved(marker: Marker, members: readonly string[], request_id: string): void {
      const event: UserEvent = { type: "marker", marker, request_id };
      publish(members.map((userId) => [userChannel(userId), event] as const));
    },
  };
}
