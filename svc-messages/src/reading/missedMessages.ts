import type { listMissedMessages } from "@messageoh/contracts/internal/messages";
import { MISSED_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { Message } from "@messageoh/contracts/messages";
import type * as v from "valibot";
import { type Messages, messageKey, provePrimary, toMessage, WITHOUT_EDITS } from "../messages/message.model.ts";

type Missed = v.InferOutput<typeof listMissedMessages.body>;

export type ListMissed = ReturnType<typeof createListMissed>;

/** Returns the query of `listMissedMessages`: the only one that reads messages of many threads by their ids. */
export const createListMissed =
  (messages: Messages) =>
  async ({ user_ids, ranges, after }: Missed): Promise<Message[]> => {
    if (user_ids.length === 0) return [];
    await provePrimary(messages, messageKey("", 0));
    const $in = user_ids;
    const ofUsers = { $or: [{ recipient_user_id: { $in } }, { sending_user_id: { $in } }] };
    const rest = after === undefined ? {} : { $gt: after };
    const rows = await messages
      .find(
        // The users are not repeated in each range: the largest query would exceed 16 MB.
        { $and: [{ $or: ranges.map(([from, until]) => ({ id: { $gte: from, $lt: until, ...rest } })) }, ofUsers] },
        WITHOUT_EDITS,
      )
      .sort({ id: 1 })
      .limit(MISSED_MAX_MESSAGES)
      .toArray();
    return rows.map((row) => toMessage(row, false));
  };
