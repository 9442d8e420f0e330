import type { listBetween } from "@messageoh/contracts/internal/messages";
import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import type * as v from "valibot";
import {
  keysBetween,
  type MessageRow,
  type Messages,
  messageKey,
  provePrimary,
  toMessage,
  WITHOUT_EDITS,
} from "../messages/message.model.ts";

type Between = v.InferOutput<typeof listBetween.body>;

export type ListBetween = ReturnType<typeof createListBetween>;

/**
 * Returns the query of `listBetween`. It resolves with the messages of one thread between two sequence numbers, both
 * exclusive, ascending. A missing number does not exist, and never will if a message has the number `before`.
 */
export function createListBetween(messages: Messages) {
  const range = (threadId: string, from: number, to: number): Promise<MessageRow[]> =>
    messages
      .find(keysBetween(threadId, from, to), WITHOUT_EDITS)
      .sort({ _id: 1 })
      .toArray();

  return async ({ thread_id, after, before }: Between): Promise<Message[]> => {
    const to = Math.min(before - 1, after + PAGE_MAX_MESSAGES);
    let rows = await range(thread_id, after + 1, to);
    if (rows.length < to - after) {
      await provePrimary(messages, messageKey(thread_id, before));
      rows = await range(thread_id, after + 1, to);
    }
    return rows.map((row) => toMessage(row, false));
  };
}
