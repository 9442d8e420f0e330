import { UPLOADS_PATH } from "@messageoh/contracts/media";
import { Counts } from "@messageoh/service-kit/counts";
import { conflict, notFound, tooMany } from "@messageoh/service-kit/errors";
import { Counter } from "@messageoh/service-kit/metrics";
import type { Routes } from "@messageoh/service-kit/routes";
import type { Context } from "koa";
import type { Deps } from "../deps.ts";
import { type MediaRow, nextCheck } from "../media/media.model.ts";
import { storageKey } from "../storage/storage.ts";
import { createNewUpload } from "./newUpload.ts";
import { createTusServer } from "./tusServer.ts";

/** Parts that one user uploads at the same time, on this instance. */
const PARTS_AT_ONCE_MAX = 10;
/** Time in which a message may still be stored after its files were looked up, in milliseconds. */
const STORING_MAX_MS = 60_000;
const IN_A_MESSAGE = "A message contains this file";
const TOO_MANY_PARTS = "Too many files are being uploaded at the same time. Please try again in a moment";

const begun = new Counter({ name: "messageoh_media_uploads_begun_total", help: "Uploads that began" });
const completed = new Counter({ name: "messageoh_media_uploads_completed_total", help: "Uploads that have all bytes" });

/** Mounts the calls of the tus protocol with which browsers upload files. Only its owner knows of an upload. */
export function uploadRoutes(routes: Routes, deps: Deps): void {
  const { giveBackSpace, media, limits, locks, processing, remove, storage } = deps;
  const makeRow = createNewUpload(deps);

  async function onComplete(_id: string): Promise<void> {
    const $set = { state: "processing" as const, examine_at: new Date() };
    const row = await media.findOneAndUpdate({ _id, state: "uploading" }, { $set });
    if (!row) return;
    completed.inc();
    processing.add(row);
  }
  const tus = createTusServer(storage, locks, onComplete);
  const uploadingOf = new Counts();
  let placesLeft = storage.partsMax;

  async function findOwn(ctx: Context, owner_id: string): Promise<MediaRow> {
    const row = await media.findOne({ _id: String(ctx.params.media_id), owner_id });
    if (!row || row.state === "removed" || row.state === "preview") throw notFound("There is no such upload");
    return row;
  }

  routes.signedInRaw(["POST"], UPLOADS_PATH, limits.uploads, async ({ ctx, session }) => {
    const row = await makeRow(ctx, session.user.id);
    try {
      await media.insertOne(row);
      await tus(ctx, row._id);
    } catch (error) {
      giveBackSpace(row.owner_id, row.size);
      await media.deleteOne({ _id: row._id, state: "uploading" });
      throw error;
    }
    begun.inc();
  });

  routes.signedInRaw(["HEAD"], `${UPLOADS_PATH}/:media_id`, limits.parts, async ({ ctx, session }) => {
    const row = await findOwn(ctx, session.user.id);
    if (row.state === "uploading") {
      await tus(ctx, row._id);
      // The process may have ended between the last byte and the update of the row.
      if (ctx.response.get("upload-offset") === String(row.size)) await onComplete(row._id);
      return;
    }
    // The original of a picture is gone, and its client may not know yet that the upload is complete.
    ctx.set({ "tus-resumable": "1.0.0", "upload-offset": String(row.size), "upload-length": String(row.size) });
    ctx.status = 200;
  });

  routes.signedInRaw(["PATCH"], `${UPLOADS_PATH}/:media_id`, limits.parts, async ({ ctx, session }) => {
    const { id } = session.user;
    const row = await findOwn(ctx, id);
    if (row.state !== "uploading") throw conflict("This upload is complete");
    // The fewer places are left, the fewer one user may have, so that slow parts of a few do not take up all.
    if (uploadingOf.of(id) >= Math.min(PARTS_AT_ONCE_MAX, placesLeft)) throw tooMany(TOO_MANY_PARTS, 1);
    uploadingOf.add(id, 1);
    placesLeft -= 1;
    try {
      await tus(ctx, row._id);
    } finally {
      placesLeft += 1;
      uploadingOf.add(id, -1);
    }
  });

  routes.signedInRaw(["DELETE"], `${UPLOADS_PATH}/:media_id`, limits.parts, async ({ ctx, session }) => {
    const row = await findOwn(ctx, session.user.id);
    const mayBeStoredNow = row.is_sent && row.check_at > nextCheck(Date.now() - STORING_MAX_MS);
    if (row.state === "ready" && (mayBeStoredNow || (await deps.isAttached(row)))) throw conflict(IN_A_MESSAGE);
    const lock = locks.newLock(storageKey(row._id));
    // Ends a part that is under way.
    await lock.lock(new AbortController().signal, () => {});
    const isRemoved = await remove(row).finally(() => lock.unlock());
    if (!isRemoved) throw conflict(IN_A_MESSAGE);
    ctx.set("tus-resumable", "1.0.0");
    ctx.status = 204;
  });
}
