import { test as base } from "@playwright/test";
import { uniqueName } from "./names.ts";
import { ProtocolClient } from "./protocolClient.ts";
import { Relay } from "./relay.ts";
import type { Pair } from "./test.ts";

interface RelayFixtures {
  /** A stack that a test can stop and start. */
  relay: Relay;
  /** Registers two friends at the relay. */
  pairAt: () => Promise<Pair>;
}

/** Tests against a stack that they can stop. */
export const relayTest = base.extend<RelayFixtures>({
  relay: async ({ baseURL }, use) => {
    const relay = new Relay(baseURL ?? "");
    await relay.start();
    await use(relay);
    await relay.stop();
  },
  pairAt: async ({ relay }, use) => {
    const users: ProtocolClient[] = [];
    await use(async () => {
      const [ann, bob] = await Promise.all(
        ["Ann", "Bob"].map((name) => new ProtocolClient(relay.url, uniqueName(name)).register()),
      );
      if (!ann || !bob) throw new Error("Two users are registered");
      users.push(ann, bob);
      return { ann, bob, threadId: await ann.befriend(bob) };
    });
    for (const user of users) user.close();
  },
});
