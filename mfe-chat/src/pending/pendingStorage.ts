import type { KeyValueStorage } from "../storage/browserStorage.ts";
import { createEntryStorage } from "../storage/entryStorage.ts";
import { pendingChange } from "./pendingChange.ts";

export type PendingStorage = ReturnType<typeof createPendingStorage>;

/** Returns the storage of a user's changes that the server has not confirmed. */
export const createPendingStorage = (userId: string, storage: KeyValueStorage) =>
  createEntryStorage(storage, {
    prefix: `messageoh:changes:${userId}:`,
    what: "Changes of messages",
    schema: pendingChange,
    idOf: ({ op_id }) => op_id,
  });
