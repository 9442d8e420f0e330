import { setTimeout as pause } from "node:timers/promises";
import { BUSY } from "@messageoh/contracts/errorTexts";
import { notFound, unavailable } from "@messageoh/service-kit/errors";
import { isDuplicateKey } from "@messageoh/service-kit/mongo";
import { type MessageRow, type Messages, messageKey } from "../messages/message.model.ts";
import type { Threads } from "../threads/thread.model.ts";
import type { ChangeRule } from "./changeRules.ts";

/** Another change of the message or of its thread may come before each attempt. */
const ATTEMPTS_MAX = 10;
/** Longest pause after the first attempt, in milliseconds. Each later one may take this much longer. */
const PAUSE_MAX_MS = 40;

export type ChangeRow = ReturnType<typeof createChangeRow>;

/**
 * Returns a function that changes a message by a rule and resolves with its row. One update applies the change and
 * claims the next change number of the thread: it takes effect only if the row is still the one that the rule has seen,
 * and the unique index on thread and change lets only one message have the number. The next number is one above the
 * highest that a majority has stored, so a reader of a change can read all those before it.
 *
 * Rejects with 404 without the message, with 503 after too many attempts, and with what the rule throws.
 */
export function createChangeRow(messages: Messages, threads: Threads) {
  return async (threadId: string, seq: number, rule: ChangeRule): Promise<MessageRow> => {
    const _id = messageKey(threadId, seq);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const [row, last] = await Promise.all([messages.findOne({ _id }), threads.findLastChange(threadId)]);
      if (!row) throw notFound("No such message");
      const update = await rule(row);
      if (!update) return row;
      try {
        const changed = await messages.findOneAndUpdate(
          { _id, change: row.change ?? { $exists: false } },
          // The row may be read after a change that came after the read of the last one.
          { ...update, $set: { ...update.$set, change: Math.max(last, row.change ?? 0) + 1 } },
          { returnDocument: "after" },
        );
        if (changed) return changed;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await pause(Math.random() * PAUSE_MAX_MS * attempt);
    }
    throw unavailable(BUSY, "too many changes of this thread at the same time");
  };
}
