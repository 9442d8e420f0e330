import { userChannel } from "@messageoh/contracts/bus";
import type { Subscriber } from "@messageoh/service-kit/subscriber";

export type UserChannels = ReturnType<typeof createUserChannels>;

/**
 * Subscribes to a user's channel while this instance holds a connection of that user.
 * @param onUnused called when the last connection of a user closes
 */
export function createUserChannels(subscriber: Pick<Subscriber, "add" | "remove">, onUnused: (userId: string) => void) {
  const connections = new Map<string, number>();
  return {
    users: () => connections.keys(),
    countOf: (userId: string) => connections.get(userId) ?? 0,

    /** Counts a connection. Resolves when the subscription is active. Each call needs one {@link release}. */
    async acquire(userId: string): Promise<void> {
      connections.set(userId, (connections.get(userId) ?? 0) + 1);
      await subscriber.add(userChannel(userId));
    },

    release(userId: string): void {
      const remaining = (connections.get(userId) ?? 0) - 1;
      if (remaining > 0) {
        connections.set(userId, remaining);
      } else {
        connections.delete(userId);
        onUnused(userId);
        subscriber.remove(userChannel(userId));
      }
    },
  };
}
