import { keysBetween, type Messages, REMOVED_TEXT } from "../messages/message.model.ts";
import type { SearchBlocks } from "../reading/searchBlock.model.ts";
import type { Threads } from "../threads/thread.model.ts";

/** Messages of one update. */
const UPDATE_BATCH = 1_000;

export interface RemoveTextsDeps {
  messages: Messages;
  threads: Threads;
  blocks: SearchBlocks;
}

/**
 * Returns a function that replaces the texts of a user in a thread, in short updates, and resolves with their number.
 * It is safe to repeat: after a crash, the next run replaces the rest.
 */
export const createRemoveTexts =
  ({ messages, threads, blocks }: RemoveTextsDeps) =>
  async (threadId: string, userId: string): Promise<number> => {
    let replaced = 0;
    const last = await threads.findLastSeq(threadId);
    for (let from = 1; from <= last; from += UPDATE_BATCH) {
      // A row that is already as wanted does not count as modified.
      const { modifiedCount } = await messages.updateMany(
        { ...keysBetween(threadId, from, from + UPDATE_BATCH - 1), sending_user_id: userId },
        {
          $set: { text: REMOVED_TEXT },
          $unset: { attachments: true, preview: true, edits: true, edited_at: true, edit_count: true, pinned: true },
        },
      );
      await messages.updateMany(
        { ...keysBetween(threadId, from, from + UPDATE_BATCH - 1), "reactions.user_id": userId },
        { $pull: { reactions: { user_id: userId } } },
      );
      replaced += modifiedCount;
    }
    // The next search builds them from the new texts.
    await blocks.forget(threadId);
    return replaced;
  };
