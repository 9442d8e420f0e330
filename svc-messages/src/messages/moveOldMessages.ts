import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { type MessageRow, type Messages, messageKey } from "./message.model.ts";

const COPY_BATCH = 500;

/**
 * Migrates messages from the old collection `messages`, whose keys were message ids, and resolves with their number. It
 * drops the old collection after the copy, so an interrupted migration starts again at the next start of the service.
 */
export async function moveOldMessages(connection: Connection, messages: Messages): Promise<number> {
  const old = nativeCollection<Omit<MessageRow, "id">>(connection, "messages");
  if ((await old.findOne()) === null) return 0;
  let copied = 0;
  let batch: MessageRow[] = [];
  const copy = async () => {
    await messages.insertMany(batch, { ordered: false }).catch((error) => {
      if (!isDuplicateKey(error)) throw error;
    });
    copied += batch.length;
    batch = [];
  };
  for await (const row of old.find({}, { maxTimeMS: 0 })) {
    batch.push({ ...row, _id: messageKey(row.thread_id, row.seq), id: row._id });
    if (batch.length === COPY_BATCH) await copy();
  }
  if (batch.length > 0) await copy();
  // Hints about the ends of threads, which no longer exist.
  await nativeCollection(connection, "threads").deleteMany({});
  await old.drop();
  return copied;
}
