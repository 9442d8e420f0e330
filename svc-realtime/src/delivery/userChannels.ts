import { userChannel } from "@messageoh/contracts/bus";
import { Counts } from "@messageoh/service-kit/counts";
import type { Subscriber } from "@messageoh/service-kit/subscriber";

export type UserChannels = ReturnType<typeof createUserChannels>;

/**
 * Subscribes to a user's channel while this instance holds a connection of that user.
 * @param onUnused called when the last connection of a user closes
 */
export function createUserChannels(subscriber: Pick<Subscriber, "add" | "remove">, onUnused: (userId: string) => void) {
  const connections = new Counts();
  return {
    users: () => connections.keys(),
    countOf: (userId: string) => connections.of(userId),

    /** Counts a connection. Resolves when the subscription is active. Each call needs one {@link release}. */
    async acquire(userId: string): Promise<void> {
      connections.add(userId, 1);
      await subscriber.add(userChannel(userId));
    },

    release(userId: string): void {
      if (connections.add(userId, -1) > 0) return;
      onUnused(userId);
      subscriber.remove(userChannel(userId));
    },
  };
}
