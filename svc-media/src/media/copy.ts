import { createHash } from "node:crypto";
import { PICTURE_SUFFIXES, type Storage, storageFailed, storageKey } from "../storage/storage.ts";
import { type Media, type MediaRow, nextCheck } from "./media.model.ts";
import type { TakeSpace } from "./storageQuota.ts";

interface Target {
  owner_id: string;
  thread_id: string;
  /** Id of the message that forwards the file. */
  client_id: string;
}

export interface CopyDeps {
  media: Media;
  storage: Storage;
  takeSpace: TakeSpace;
}

/**
 * Returns a function that copies a ready file or a link preview to another thread, as an upload of another user. A
 * repeated call makes the same copy and counts it once. Resolves with a text if the user or the installation has no
 * space.
 */
export function createCopy({ media, storage, takeSpace }: CopyDeps) {
  return async <Row extends MediaRow>(from: Row, target: Target): Promise<Row | { refusal: string }> => {
    const { owner_id, thread_id, client_id } = target;
    const _id = createHash("sha256")
      .update([owner_id, thread_id, client_id, from._id].join(" "))
      .digest("hex")
      .slice(0, 32);
    const known = await media.findOne({ _id });
    const lack = known ? undefined : await takeSpace(owner_id, from.stored_bytes);
    if (lack) return { refusal: lack.error.message };
    const now = Date.now();
    const row = { ...from, _id, owner_id, thread_id, created_at: new Date(now), check_at: nextCheck(now) };
    // The row is there before the objects, so that the clean-up finds them after a crash.
    if (!known) await media.updateOne({ _id }, { $setOnInsert: { ...row, state: "uploading" } }, { upsert: true });
    if (known?.state !== from.state && from.content) {
      const suffixes = from.content.kind === "picture" ? PICTURE_SUFFIXES : [""];
      for (const suffix of suffixes) await storage.copy(storageKey(from._id) + suffix, storageKey(_id) + suffix);
    }
    const $set = { state: from.state, is_sent: true, check_at: row.check_at };
    const { matchedCount } = await media.updateOne({ _id, state: { $ne: "removed" } }, { $set });
    if (matchedCount > 0) return row;
    // What was copied for a removed row would stay. The caller tries again.
    await storage.removeAll(storageKey(_id));
    throw storageFailed("the copy was removed meanwhile");
  };
}
