import type { KeyValueStorage } from "../storage/browserStorage.ts";
import { createEntryStorage } from "../storage/entryStorage.ts";
import { queuedMessage } from "./queuedMessage.ts";

export type OutboxStorage = ReturnType<typeof createOutboxStorage>;

/** Returns the storage of a user's unsent messages. */
export const createOutboxStorage = (userId: string, storage: KeyValueStorage) =>
  createEntryStorage(storage, {
    prefix: `messageoh:outbox:${userId}:`,
    what: "The outbox",
    schema: queuedMessage,
    idOf: ({ client_id }) => client_id,
  });
