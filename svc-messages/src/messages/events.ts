import {
  instanceChannel,
  type MessageItem,
  type MessagesEvent,
  type UserEvent,
  userChannel,
} from "@messageoh/contracts/bus";
import type { Message } from "@messageoh/contracts/messages";
import { type Position, publishAt } from "@messageoh/service-kit/position";
import type { Publication, Publish } from "@messageoh/service-kit/publish";

export type Events = ReturnType<typeof createEvents>;

/**
 * Creates the functions that publish events to svc-realtime, on the channels of the users concerned.
 * @param onUnheard called with each message whose recipient has no connection to svc-realtime
 */
export function createEvents(
  publish: Publish,
  position: Position,
  onUnheard: (message: Message, isRepeat: boolean) => void = () => {},
) {
  const publishOthers = publishAt(position, publish);
  return {
    /**
     * Publishes stored messages in order: to the recipient, and to the sender's sockets on other instances than the one
     * that gets the results.
     * @returns what {@link Publish} returns
     */
    async messagesStored(items: readonly MessageItem[]): ReturnType<Publish> {
      const publications = items.flatMap((item): Publication[] => {
        const { message, instance } = item;
        const event: MessagesEvent = { type: "messages", published_at: Date.now(), items: [item] };
        return [
          [userChannel(message.recipient_user_id), event],
          [userChannel(message.sending_user_id), event, instance && instanceChannel(instance)],
        ];
      });
      const unheard = await publish(publications);
      for (const { message, is_repeat } of unheard ? items : [])
        if (unheard?.has(userChannel(message.recipient_user_id))) onUnheard(message, is_repeat);
      return unheard;
    },

    /** Publishes events, each to all devices of some users. */
    toUsers(...events: readonly (readonly [userIds: readonly string[], event: UserEvent])[]): void {
      void publishOthers(
        events.flatMap(([userIds, event]) => userIds.map((userId) => [userChannel(userId), event] as const)),
      );
    },
  };
}
