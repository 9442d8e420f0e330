import * as z from "zod/mini";
import type { QueuedMessage } from "./queuedMessage.ts";

/** The subset of `localStorage` that the outbox uses. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const queuedMessage = z.object({
  client_id: z.string(),
  thread_id: z.string(),
  recipient_user_id: z.string(),
  text: z.string(),
  timestamp: z.string(),
  queued_at: z.number(),
  state: z.enum(["sending", "not-sent"]),
  is_untried: z.optional(z.literal(true)),
  reason: z.optional(z.string()),
});

export interface OutboxStorage {
  readAll: () => QueuedMessage[];
  /** Returns whether the entry is stored. */
  write: (entry: QueuedMessage) => boolean;
  remove: (clientId: string) => void;
  /** Returns the change that another tab made according to a storage event, or `undefined` for other keys. */
  readEvent: (
    event: Pick<StorageEvent, "key" | "newValue">,
  ) => { clientId: string; entry: QueuedMessage | null } | undefined;
}

/** Stores one key per message, so that tabs that write simultaneously do not overwrite each other's list. */
export function createOutboxStorage(userId: string, storage: KeyValueStorage): OutboxStorage {
  const prefix = `messageoh:outbox:${userId}:`;

  return {
    readAll() {
      try {
        const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
        return keys
          .filter((key) => key.startsWith(prefix))
          .map((key) => parse(storage.getItem(key)))
          .filter((entry) => entry !== null);
      } catch (error) {
        console.warn("The outbox could not be read", error);
        return [];
      }
    },
    write(entry) {
      try {
        storage.setItem(prefix + entry.client_id, JSON.stringify(entry));
        return true;
      } catch (error) {
        // If storage is full or forbidden, the message is sent from memory while this tab is open.
        console.warn("The outbox could not be stored", error);
        return false;
      }
    },
    remove(clientId) {
      try {
        storage.removeItem(prefix + clientId);
      } catch (error) {
        console.warn("The outbox could not be stored", error);
      }
    },
    readEvent({ key, newValue }) {
      if (!key?.startsWith(prefix)) return undefined;
      return { clientId: key.slice(prefix.length), entry: parse(newValue) };
    },
  };
}

function parse(text: string | null): QueuedMessage | null {
  if (text === null) return null;
  try {
    return z.safeParse(queuedMessage, JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
