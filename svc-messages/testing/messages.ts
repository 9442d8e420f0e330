import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { StreamStoreResult } from "@messageoh/contracts/messageStream";
import type { Store } from "../src/storing/store.ts";

export { aNewMessage as aMessage } from "@messageoh/contracts/testing/messages";

/** Returns a function that stores messages at the same time and resolves with all their results, in the same order. */
export const resultsOf =
  (store: Store) =>
  (messages: readonly NewMessage[]): Promise<StreamStoreResult[]> =>
    Promise.all(messages.map(store));
