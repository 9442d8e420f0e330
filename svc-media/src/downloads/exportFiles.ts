import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { EXPORT_BYTES_HEADER } from "@messageoh/contracts/media";
import { createDownloads } from "@messageoh/service-kit/downloads";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Context } from "koa";
import { ZipFile } from "yazl";
import type { IsAttached } from "../access/isAttached.ts";
import type { Members } from "../access/members.ts";
import { isReady, type Media, type ReadyRow } from "../media/media.model.ts";
import { isNotStored, type Storage, storageKey } from "../storage/storage.ts";
import { downloadName } from "./contentDisposition.ts";

/** Downloads at the same time. Each reads one file at a time. */
const DOWNLOADS_MAX = 5;
/** Files that are looked up at a time. */
const BATCH = 100;

interface Download {
  zip: ZipFile;
  /** The bytes of the ZIP file. It ends early when the client leaves. */
  output: Readable;
  userId: string;
  filters: Filter[];
  requireSession: () => Promise<void>;
}
type Filter = Pick<Parameters<Media["find"]>[0], "owner_id" | "thread_id">;
export type ExportFiles = ReturnType<typeof createExportFiles>;

export interface ExportOptions {
  media: Media;
  members: Members;
  isAttached: IsAttached;
  storage: Storage;
  logger: Logger;
}

/**
 * Returns a function that streams the files of a user's messages as a ZIP file: all files of the threads with current
 * friends, and the user's own ones of former threads. Files are not compressed, because pictures and videos are.
 */
export function createExportFiles({ media, members, isAttached, storage, logger }: ExportOptions) {
  const takeDownload = createDownloads(DOWNLOADS_MAX);

  async function addFiles({ zip, output, userId, filters, requireSession }: Download): Promise<void> {
    let reading: Readable | undefined;
    // The library would leave it open.
    output.once("close", () => reading?.destroy());

    /** Resolves when the client has read the file. */
    async function add(row: ReadyRow): Promise<void> {
      const key = storageKey(row._id);
      try {
        reading = await storage.read(row.content.kind === "picture" ? `${key}.view` : key);
      } catch (error) {
        if (!isNotStored(error)) throw error;
        logger.warn({ media_id: row._id }, "file is left out of a download because it is not stored");
        return;
      }
      if (output.destroyed) reading.destroy();
      const isRead = finished(reading);
      zip.addReadStream(reading, entryName(row), { compress: false, size: row.content.bytes, mtime: row.created_at });
      await isRead;
    }

    for (const filter of filters) {
      let isFriend = true;
      /** Resolves with whether the user may load a file now: a slow client reads for hours. */
      async function isReadable({ owner_id, thread_id }: ReadyRow): Promise<boolean> {
        await requireSession();
        if (owner_id === userId) return true;
        isFriend &&= await members.isMember(thread_id, userId);
        return isFriend;
      }
      for (let after = ""; !output.destroyed; ) {
        const rows = await media.find({ ...filter, _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH }).toArray();
        const attached = await Promise.all(rows.map(isAttached));
        for (const [index, row] of rows.entries())
          if (attached[index] && isReady(row) && (await isReadable(row))) await add(row);
        const last = rows.at(-1);
        if (!last || rows.length < BATCH) break;
        after = last._id;
      }
    }
    zip.end();
  }

  return async (userId: string, requireSession: () => Promise<void>, ctx: Context): Promise<Readable> => {
    takeDownload(userId, ctx.res);
    const threadIds = await members.listIds(userId);
    const ofFormer: Filter = { owner_id: userId, thread_id: { $nin: threadIds } };
    const $match = { state: "ready", $or: [{ thread_id: { $in: threadIds } }, ofFormer] };
    const total = { $sum: "$content.bytes" };
    const [sum] = await media.aggregate<{ total: number }>([{ $match }, { $group: { _id: null, total } }]).toArray();
    ctx.set({
      // A message may no longer contain some of them, so the file can be smaller.
      [EXPORT_BYTES_HEADER]: String(sum?.total ?? 0),
      "content-disposition": 'attachment; filename="messageoh-files.zip"',
      "x-content-type-options": "nosniff",
      // nginx must not read ahead of the client.
      "x-accel-buffering": "no",
    });
    ctx.type = "application/zip";
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    const fail = (err: unknown) => {
      if (output.destroyed) return;
      logger.warn({ err }, "download of files failed");
      // The client notices that the file has no end.
      ctx.res.destroy();
      output.destroy();
    };
    zip.on("error", fail);
    // One after the other, because each is in the order of an index.
    const filters = [...threadIds.map((thread_id) => ({ thread_id })), ofFormer];
    addFiles({ zip, output, userId, filters, requireSession }).catch(fail);
    return output;
  };
}

/** Characters that a file on Windows must not have in its name. A browser replaces them in the name of a download. */
const NOT_ON_WINDOWS = /[<>:"|?*]/g;

/** Returns a name that no other file of the download has, and that sorts by date. */
const entryName = (row: ReadyRow): string =>
  `${row.created_at.toISOString().slice(0, 10)} ${row._id.slice(0, 8)} ${downloadName(row).replace(NOT_ON_WINDOWS, "_")}`;
