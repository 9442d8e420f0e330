import type { Logger } from "@messageoh/service-kit/logger";
import { createSparseLog } from "@messageoh/service-kit/sparseLog";
import { type Storage, storageKey } from "../storage/storage.ts";
import type { Media, MediaRow } from "./media.model.ts";

/** Time after which the clean-up tries again to delete the objects of a file, in milliseconds. */
const RETRY_MS = 600_000;

export type Remove = ReturnType<typeof createRemove>;

/**
 * Returns a function that removes a file for everyone at once and then deletes its objects and its row. If the storage
 * fails, the row stays for the clean-up.
 */
export function createRemove(media: Media, storage: Storage, logger: Logger) {
  const logFailure = createSparseLog(logger);
  /**
   * Resolves with false, and does nothing, if the check of the row was moved meanwhile: a message is stored with the
   * file.
   */
  return async ({ _id, check_at }: Pick<MediaRow, "_id" | "check_at">): Promise<boolean> => {
    const $set = { state: "removed" as const, check_at: new Date(Date.now() + RETRY_MS) };
    const { matchedCount } = await media.updateOne({ _id, check_at }, { $set });
    if (matchedCount === 0) return false;
    try {
      await storage.removeAll(storageKey(_id));
    } catch (err) {
      logFailure("remove", { err, media_id: _id }, "objects were not deleted");
      return true;
    }
    await media.deleteOne({ _id });
    return true;
  };
}
