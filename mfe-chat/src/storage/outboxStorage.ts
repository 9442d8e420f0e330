import * as z from "zod/mini";
import type { QueuedMessage } from "../state/queuedMessage.ts";

/** As much of `localStorage` as is used here. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const queuedMessage = z.object({
  client_id: z.string(),
  thread_id: z.string(),
  recipient_user_id: z.string(),
  text: z.string(),
  timestamp: z.string(),
  queued_at: z.number(),
  state: z.enum(["sending", "not-sent"]),
  reason: z.optional(z.string()),
});

export interface OutboxStorage {
  readAll: () => QueuedMessage[];
  write: (entry: QueuedMessage) => void;
  remove: (clientId: string) => void;
  /** What another tab did, as the browser's storage event tells it: undefined when it does not concern this outbox. */
  readEvent: (
    event: Pick<StorageEvent, "key" | "newValue">,
  ) => { clientId: string; entry: QueuedMessage | null } | undefined;
}

/** One key per message, so that two tabs that write at once never overwrite each other's list. */
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
        console.warn("The outbox cannot be read", error);
        return [];
      }
    },
    write(entry) {
      try {
        storage.setItem(prefix + entry.client_id, JSON.stringify(entry));
      } catch (error) {
        // Full or forbidden: the message is still sent from memory while this tab is open.
        console.warn("The outbox cannot be kept", error);
      }
    },
    remove(clientId) {
      try {
        storage.removeItem(prefix + clientId);
      } catch (error) {
        console.warn("The outbox cannot be kept", error);
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
