import { isDuplicateKey, nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { type MessageRow, type Messages, messageKey } from "./message.model.ts";

const COPY_TOGETHER = 500;

/**
 * Messages were kept in a collection `messages` before, whose keys were their ids. What is there is copied and only then
 * removed, so a copy that was broken off is begun again at the next start.
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
    if (batch.length === COPY_TOGETHER) await copy();
  }
  if (batch.length > 0) await copy();
  // They hold messages of the old form; whoever looks makes them anew.
  await nativeCollection(connection, "threads").deleteMany({});
  await old.drop();
  return copied;
}
