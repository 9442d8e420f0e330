import { summaryOf } from "@messageoh/contracts/attachments";
import { nativeCollection } from "@messageoh/service-kit/mongo";
import type { Connection } from "mongoose";
import { byThread } from "../messages/byThread.ts";
import { COLLECTION, type MessageRow } from "../messages/message.model.ts";

/** Returns a function that resolves with the present texts of those messages that have not been deleted, by key. */
export function createPresentTexts(connection: Connection) {
  const messages = byThread(nativeCollection<MessageRow>(connection, COLLECTION));
  return async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await messages
      .find({ _id: { $in: [...keys] }, deleted_at: { $exists: false } })
      .project<Pick<MessageRow, "_id" | "text" | "attachments">>({ text: 1, attachments: 1 })
      .toArray();
    return new Map(rows.map((row) => [row._id, summaryOf(row)]));
  };
}
