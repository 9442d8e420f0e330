import { setTimeout as pause } from "node:timers/promises";
import { createDownloads } from "@messageoh/service-kit/downloads";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Context } from "koa";
import { ZipFile } from "yazl";
import type { IsAttached } from "../access/attached.ts";
import type { Members } from "../access/members.ts";
import { isReady, type Media, type ReadyRow } from "../media/media.model.ts";
import { type Storage, storageKey } from "../storage/storage.ts";
import { downloadName } from "./contentDisposition.ts";

/** Downloads at the same time. Each reads one file at a time. */
const DOWNLOADS_MAX = 5;
/** Files that are looked up at a time. */
const BATCH = 100;
/** Pause between two looks at a client that has not read the files of a batch yet, in milliseconds. */
const WAIT_MS = 50;

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

  async function addFiles(zip: ZipFile, filter: object, isGone: () => boolean): Promise<void> {
    let opened = 0;
    let added = 0;
    const add = (row: ReadyRow) => {
      const key = storageKey(row._id);
      const options = { compress: false, size: row.content.bytes, mtime: row.created_at };
      added += 1;
      zip.addReadStreamLazy(entryName(row), options, (give) => {
        opened += 1;
        storage.read(row.content.kind === "picture" ? `${key}.view` : key).then(
          (stream) => give(null, stream),
          (error) => give(error, null as never),
        );
      });
    };
    for (let after = ""; !isGone(); ) {
      const rows = await media.find({ ...filter, _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH }).toArray();
      const attached = await Promise.all(rows.map((row) => isAttached(row)));
      rows
        .filter((_, index) => attached[index])
        .filter(isReady)
        .forEach(add);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      after = last._id;
      // The list of files that wait stays short, however many there are.
      while (opened < added && !isGone()) await pause(WAIT_MS);
    }
    zip.end();
  }

  return async (userId: string, ctx: Context): Promise<NodeJS.ReadableStream> => {
    takeDownload(userId, ctx.res);
    const thread_id = { $in: await members.listIds(userId) };
    const filter = { state: "ready" as const, $or: [{ thread_id }, { owner_id: userId }] };
    const [sum] = await media
      .aggregate<{ total: number }>([{ $match: filter }, { $group: { _id: null, total: { $sum: "$content.bytes" } } }])
      .toArray();
    ctx.set({
      // A message may no longer contain some of them, so the file can be smaller.
      "x-media-bytes": String(sum?.total ?? 0),
      "content-disposition": 'attachment; filename="messageoh-files.zip"',
      "x-content-type-options": "nosniff",
      // nginx must not read ahead of the client.
      "x-accel-buffering": "no",
    });
    ctx.type = "application/zip";
    const zip = new ZipFile();
    const output = zip.outputStream as NodeJS.ReadableStream & { destroy: (error?: Error) => void };
    const fail = (err: unknown) => {
      logger.warn({ err }, "download of files failed");
      // The client notices that the file has no end.
      ctx.res.destroy();
      output.destroy();
    };
    zip.on("error", fail);
    ctx.res.once("close", () => output.destroy());
    addFiles(zip, filter, () => ctx.res.destroyed).catch(fail);
    return output;
  };
}

/** Returns a name that no other file of the download has, and that sorts by date. */
const entryName = (row: ReadyRow): string =>
  `${row.created_at.toISOString().slice(0, 10)} ${row._id.slice(0, 8)} ${downloadName(row)}`;
