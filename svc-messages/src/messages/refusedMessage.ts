import type { NewMessage } from "@messageoh/contracts/messages";
import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { COLLECTION, type MessageRow, type Messages } from "./message.model.ts";

/**
 * A refused message, in the collection of messages: the unique index on sender and client id keeps an earlier attempt that
 * completes later from storing the message.
 */
interface RefusedRow extends Pick<MessageRow, "_id" | "sending_user_id" | "client_id"> {
  refused_at: Date;
}

/** Returns whether a row that was found by its sender and client id is a refused message. */
export const isRefused = (row: object): boolean => "refused_at" in row;

export type Refuse = ReturnType<typeof createRefuse>;

/**
 * Returns a function that makes sure that a message is never stored. It resolves with `null`, or with the stored message if it
 * is too late.
 */
export function createRefuse(connection: Connection, messages: Messages) {
  const refused = nativeCollection<RefusedRow>(connection, COLLECTION);
  return async ({ sending_user_id, client_id, thread_id }: NewMessage): Promise<MessageRow | null> => {
    const _id = `refused:${sending_user_id}:${client_id}`;
    try {
      await refused.insertOne({ _id, sending_user_id, client_id, refused_at: new Date() });
      return null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return messages.findOne({ sending_user_id, client_id, thread_id });
    }
  };
}
