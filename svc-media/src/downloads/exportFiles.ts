import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { EXPORT_BYTES_HEADER } from "@messageoh/contracts/media";
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

  /** @param output ends early when the client leaves */
  async function addFiles(zip: ZipFile, filters: Filter[], output: Readable): Promise<void> {
    let opened = 0;
    let added = 0;
    const isGone = () => output.destroyed;
    let reading: Readable | undefined;
    // The library would leave it open.
    output.once("close", () => reading?.destroy());
    const add = (row: ReadyRow) => {
      const key = storageKey(row._id);
      const options = { compress: false, size: row.content.bytes, mtime: row.created_at };
      added += 1;
      zip.addReadStreamLazy(entryName(row), options, (give) => {
        opened += 1;
        storage.read(row.content.kind === "picture" ? `${key}.view` : key).then(
          (stream) => {
            reading = stream;
            if (isGone()) stream.destroy();
            else give(null, stream);
          },
          (error) => give(error, null as never),
        );
      });
    };
    const addMatching = async (filter: Filter) => {
      for (let after = ""; !isGone(); ) {
        const rows = await media.find({ ...filter, _id: { $gt: after } }, { sort: { _id: 1 }, limit: BATCH }).toArray();
        const attached = await Promise.all(rows.map(isAttached));
        for (const [index, row] of rows.entries()) if (attached[index] && isReady(row)) add(row);
        // The list of files that wait stays short, however many there are.
        while (opened < added && !isGone()) await pause(WAIT_MS);
        const last = rows.at(-1);
        if (!last || rows.length < BATCH) return;
        after = last._id;
      }
    };
    for (const filter of filters) await addMatching(filter);
    zip.end();
  }

  return async (userId: string, ctx: Context): Promise<Readable> => {
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
      logger.warn({ err }, "download of files failed");
      // The client notices that the file has no end.
      ctx.res.destroy();
      output.destroy();
    };
    zip.on("error", fail);
    // One after the other, because each is in the order of an index.
    addFiles(zip, [...threadIds.map((thread_id) => ({ thread_id })), ofFormer], output).catch(fail);
    return output;
  };
}

/** Characters that a file on Windows must not have in its name. A browser replaces them in the name of a download. */
const NOT_ON_WINDOWS = /[<>:"|?*]/g;

/** Returns a name that no other file of the download has, and that sorts by date. */
const entryName = (row: ReadyRow): string =>
  `${row.created_at.toISOString().slice(0, 10)} ${row._id.slice(0, 8)} ${downloadName(row).replace(NOT_ON_WINDOWS, "_")}`;
