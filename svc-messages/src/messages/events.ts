import { type MessageItem, type MessagesEvent, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import type { Marker, Message } from "@messageoh/contracts/messages";
import type { Publish } from "@messageoh/service-kit/redis";

export type Events = ReturnType<typeof createEvents>;

/**
 * Creates the functions that publish events to svc-realtime, on the channels of the users concerned.
 * @param onUnheard called with each message whose recipient has no connection to svc-realtime
 */
export function createEvents(publish: Publish, onUnheard: (message: Message, isRepeat: boolean) => void = () => {}) {
  return {
    /** Publishes one event per thread, with its stored messages in order, to both members. */
    messagesStored(items: readonly MessageItem[]): void {
      const published_at = Date.now();
      publish(
        [...Map.groupBy(items, ({ message }) => message.thread_id).values()].flatMap((own) => {
          const event: MessagesEvent = { type: "messages", published_at, items: own };
          const [{ message }] = own as [MessageItem];
          return [message.recipient_user_id, message.sending_user_id].map(
            (userId) => [userChannel(userId), event] as const,
          );
        }),
        (channels) => {
          for (const { message, is_repeat } of items)
            if (channels.has(userChannel(message.recipient_user_id))) onUnheard(message, is_repeat);
        },
      );
    },

    /** Publishes moved markers to both members: for the friend's ticks, and for the user's own other tabs. */
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
