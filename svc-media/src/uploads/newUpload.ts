import { randomBytes } from "node:crypto";
import { ATTACHMENT_MAX_BYTES } from "@messageoh/contracts/attachments";
import { ACCOUNT_DELETED } from "@messageoh/contracts/errorTexts";
import { uploadMetadata } from "@messageoh/contracts/media";
import { safeParse } from "@messageoh/contracts/parse";
import { badRequest, forbidden, HttpError, tooMany } from "@messageoh/service-kit/errors";
import { Counter } from "@messageoh/service-kit/metrics";
import { Metadata } from "@tus/server";
import type { Context } from "koa";
import type { Members } from "../access/members.ts";
import { type Media, type MediaRow, nextCheck } from "../media/media.model.ts";
import type { TakeSpace } from "../media/storageQuota.ts";
import { cleanName } from "./fileNames.ts";

/** Unfinished uploads of one user that began within an hour. A message has at most 10 attachments. */
export const UNFINISHED_MAX = 20;
const HOUR_MS = 3_600_000;
/**
 * Characters of `Upload-Metadata`: a name of 1,000 characters of four bytes in base64, the thread, and what is stated.
 */
const METADATA_MAX_CHARACTERS = 6_000;
/** `Content-Type` of a request with bytes of a file. */
const PART_TYPE = "application/offset+octet-stream";

const refused = new Counter({
  name: "messageoh_media_uploads_refused_total",
  help: "Uploads that were refused before their first byte, by reason",
  labelNames: ["reason"],
});
// The series exists from the start, so that the first refusal is an increase for an alert.
refused.inc({ reason: "full" }, 0);

export interface NewUploadDeps {
  media: Media;
  members: Members;
  takeSpace: TakeSpace;
}

/**
 * Returns a function that checks a request to create an upload, before any byte is stored, takes its space and makes
 * its row.
 */
export function createNewUpload({ media, members, takeSpace }: NewUploadDeps) {
  const refuse = (reason: string, error: HttpError): never => {
    refused.inc({ reason });
    throw error;
  };

  return async (ctx: Context, ownerId: string): Promise<MediaRow> => {
    // The library would store them here, where neither the number of parts nor their space is limited.
    if (ctx.get("content-type") === PART_TYPE) throw badRequest("A request that begins an upload carries no bytes");
    const size = readSize(ctx);
    if (size === 0) refuse("empty", badRequest("The file is empty"));
    if (size > ATTACHMENT_MAX_BYTES)
      refuse("too_large", new HttpError(413, `A file has at most ${ATTACHMENT_MAX_BYTES / 1e6} MB`));
    const { name, thread_id, ...stated } = readMetadata(ctx);
    const thread = await members.findForMember(thread_id, ownerId);
    if (thread.is_closed) refuse("closed", forbidden(ACCOUNT_DELETED));
    const now = Date.now();
    const recent = { owner_id: ownerId, state: "uploading" as const, created_at: { $gt: new Date(now - HOUR_MS) } };
    if ((await media.countDocuments(recent, { limit: UNFINISHED_MAX })) >= UNFINISHED_MAX)
      refuse("unfinished", tooMany("Too many of your uploads are unfinished. Please try again in an hour", 3_600));
    const lack = await takeSpace(ownerId, size);
    if (lack) refuse(lack.reason, lack.error);
    return {
      _id: randomBytes(16).toString("hex"),
      owner_id: ownerId,
      thread_id,
      state: "uploading",
      name: cleanName(name),
      size,
      stored_bytes: size,
      stated,
      created_at: new Date(now),
      check_at: nextCheck(now),
    };
  };
}

function readSize(ctx: Context): number {
  const length = ctx.get("upload-length");
  if (!/^\d{1,15}$/.test(length)) throw badRequest("Upload-Length must be the size of the file in bytes");
  return Number(length);
}

function readMetadata(ctx: Context) {
  const text = ctx.get("upload-metadata");
  if (text.length > METADATA_MAX_CHARACTERS) throw badRequest("The name of the file is too long");
  let given: object;
  try {
    given = Metadata.parse(text) ?? {};
  } catch {
    throw badRequest("Upload-Metadata is invalid");
  }
  const { error, data } = safeParse(uploadMetadata, given);
  if (error) throw badRequest(`${error.field}: ${error.message}`);
  return data;
}
