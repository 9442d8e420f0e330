import * as z from "zod/mini";
import { type KeyValueStorage, parseJson, storedUnder } from "../storage/browserStorage.ts";
import { type QueuedMessage, queuedMessage } from "./queuedMessage.ts";

export type OutboxStorage = ReturnType<typeof createOutboxStorage>;

/** Stores one key per message, so that tabs that write simultaneously do not overwrite each other's list. */
export function createOutboxStorage(userId: string, storage: KeyValueStorage) {
  const prefix = `messageoh:outbox:${userId}:`;
  // If storage is full or forbidden, the message is sent from memory while this tab is open.
  const stored = storedUnder(prefix, storage, "The outbox");
  return {
    readAll: (): QueuedMessage[] => stored.keys().flatMap((clientId) => parse(stored.get(clientId)) ?? []),
    /** Returns whether the entry is stored. */
    write: (entry: QueuedMessage): boolean => stored.set(entry.client_id, JSON.stringify(entry)),
    remove: stored.remove,
    /** Returns the change that another tab made according to a storage event, or `undefined` for other keys. */
    readEvent({ key, newValue }: Pick<StorageEvent, "key" | "newValue">) {
      if (!key?.startsWith(prefix)) return undefined;
      return { clientId: key.slice(prefix.length), entry: parse(newValue) };
    },
  };
}

const parse = (text: string | null): QueuedMessage | null => z.safeParse(queuedMessage, parseJson(text)).data ?? null;
