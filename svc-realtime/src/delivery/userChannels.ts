import { userChannel } from "@messageoh/contracts/bus";
import type { Subscriber } from "@messageoh/service-kit/redis";

export type UserChannels = ReturnType<typeof createUserChannels>;

/** Listens to a user's channel exactly while this instance holds one of that user's connections. */
export function createUserChannels(subscriber: Pick<Subscriber, "add" | "remove">, onLeft: (userId: string) => void) {
  const connections = new Map<string, number>();
  return {
    users: () => connections.keys(),
    countOf: (userId: string) => connections.get(userId) ?? 0,

    /** Resolves when the user's events are heard. Each call wants one {@link release}. */
    async acquire(userId: string): Promise<void> {
      connections.set(userId, (connections.get(userId) ?? 0) + 1);
      await subscriber.add(userChannel(userId));
    },

    release(userId: string): void {
      const left = (connections.get(userId) ?? 0) - 1;
      if (left > 0) {
        connections.set(userId, left);
      } else {
        connections.delete(userId);
        onLeft(userId);
        subscriber.remove(userChannel(userId));
      }
    },
  };
}
