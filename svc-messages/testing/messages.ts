import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { StreamStoreResult } from "@messageoh/contracts/messageStream";
import type { Store } from "../src/storing/store.ts";

let counter = 0;

/** Returns a new message from ann to bob. */
export const aMessage = (parts: Partial<NewMessage> = {}): NewMessage => ({
  client_id: `client-${++counter}`,
  thread_id: "ann-bob",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "request-1",
  origin: "socket-1",
  ...parts,
});

/** Returns a function that stores messages at the same time and resolves with all their results, in the same order. */
export const resultsOf =
  (store: Store) =>
  (messages: readonly NewMessage[]): Promise<StreamStoreResult[]> =>
    Promise.all(messages.map(store));
