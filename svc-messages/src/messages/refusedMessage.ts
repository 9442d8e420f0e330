import type { NewMessage } from "@messageoh/contracts/internal/messages";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { combineCalls } from "@messageoh/service-kit/combineCalls";
import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection, mongo } from "mongoose";
import { COLLECTION, clientIdKey, findByClientId, type MessageRow, type Messages } from "./message.model.ts";

/**
 * A refused message, in the collection of messages: the unique index on thread, sender and client id keeps an earlier
 * attempt that completes later from storing the message. It has no number.
 */
interface RefusedRow extends Pick<MessageRow, "_id" | "thread_id" | "sending_user_id" | "client_id"> {
  refused_at: Date;
}

/** Refusals share inserts, so that many of them do not occupy all connections to the database. */
const TOGETHER = { itemsMax: BATCH_MAX_MESSAGES, waitingMax: 5_000, running: 2 };

/** Returns whether a row that was found by its client id is a refused message. */
export const isRefused = (row: object): boolean => "refused_at" in row;

export type Refuse = ReturnType<typeof createRefuse>;

/**
 * Returns a function that keeps a message from ever being stored. It resolves with `null`, or with the message if it is
 * already stored.
 */
export function createRefuse(connection: Connection, messages: Messages) {
  const refused = nativeCollection<RefusedRow>(connection, COLLECTION);
  return combineCalls(async (batch: NewMessage[]): Promise<(MessageRow | null)[]> => {
    const refused_at = new Date();
    const rows = batch.map(({ thread_id, sending_user_id, client_id }) => {
      const _id = `refused:${thread_id}:${sending_user_id}:${client_id}`;
      return { _id, thread_id, sending_user_id, client_id, refused_at };
    });
    try {
      await refused.insertMany(rows, { ordered: false });
      return batch.map(() => null);
    } catch (error) {
      // Beside a duplicate, the other rows may not be at a majority yet.
      if (!isDuplicateKey(error) || (error as mongo.MongoBulkWriteError).result.getWriteConcernError()) throw error;
    }
    const found = await findByClientId(messages, batch);
    return batch.map((message) => {
      const row = found.get(clientIdKey(message));
      return row && !isRefused(row) ? row : null;
    });
  }, TOGETHER);
}
