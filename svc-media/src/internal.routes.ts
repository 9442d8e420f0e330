import type { Attachment } from "@messageoh/contracts/attachments";
import * as contract from "@messageoh/contracts/internal/media";
import type { Routes } from "@messageoh/service-kit/routes";
import type { Deps } from "./deps.ts";
import { isReady, nextCheck, toAttachment, toLinkPreview } from "./media/media.model.ts";
import { isNotStored } from "./storage/storage.ts";

const NOT_AVAILABLE_TO_FORWARD = { refusal: "A file of this message is no longer available" };
const NOT_AVAILABLE = "A file of this message is no longer available. Please attach it again";

/** Mounts the calls of svc-messages. The gateway does not expose them. */
export function internalRoutes(routes: Routes, { copy, media }: Deps): void {
  routes.internal(contract.findAttachments, async ({ body: { owner_id, thread_id, media_ids } }) => {
    const ids = [...new Set(media_ids)];
    // From here on the clean-up waits, until the message is stored.
    const check_at = nextCheck();
    const filter = { _id: { $in: ids }, owner_id, thread_id, state: "ready" as const };
    const { matchedCount } = await media.updateMany(filter, { $set: { is_sent: true, check_at } });
    if (matchedCount < ids.length) return { refusal: NOT_AVAILABLE };
    const rows = await media.find(filter).toArray();
    const found = new Map(rows.filter(isReady).map((row) => [row._id, toAttachment(row)]));
    const attachments = ids.flatMap((id) => found.get(id) ?? []);
    return attachments.length < ids.length ? { refusal: NOT_AVAILABLE } : { attachments };
  });

  routes.internal(contract.copyAttachments, async ({ body: { from_thread_id, media_ids, ...target } }) => {
    const ids = [...new Set(media_ids)];
    const rows = await media.find({ _id: { $in: ids }, thread_id: from_thread_id }).toArray();
    const ready = new Map(rows.filter(isReady).map((row) => [row._id, row]));
    const attachments: Attachment[] = [];
    for (const id of ids) {
      const row = ready.get(id);
      const copied = row ? await copy(row, target).catch(refuseMissing) : NOT_AVAILABLE_TO_FORWARD;
      if ("refusal" in copied) return copied;
      attachments.push(toAttachment(copied));
    }
    return { attachments };
  });

  routes.internal(contract.findLinkPreview, async ({ body: { owner_id, thread_id, preview_id } }) => {
    const filter = { _id: preview_id, owner_id, thread_id, state: "preview" as const };
    const $set = { is_sent: true, check_at: nextCheck() };
    const row = await media.findOneAndUpdate(filter, { $set });
    return { preview: row && toLinkPreview(row) };
  });

  routes.internal(contract.copyLinkPreview, async ({ body: { from_thread_id, preview_id, ...target } }) => {
    const row = await media.findOne({ _id: preview_id, thread_id: from_thread_id, state: "preview" });
    const copied = row && (await copy(row, target));
    return { preview: copied && "_id" in copied ? toLinkPreview(copied) : null };
  });
}

/** Returns a refusal if the storage lost a file, for example because it was restored from an older backup. */
function refuseMissing(error: unknown) {
  if (!isNotStored(error)) throw error;
  return NOT_AVAILABLE_TO_FORWARD;
}
