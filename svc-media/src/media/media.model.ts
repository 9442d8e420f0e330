import { type Attachment, UNSENT_KEEP_HOURS } from "@messageoh/contracts/attachments";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import { nativeCollection, UNLIMITED } from "@messageoh/service-kit/mongo";
import type { Connection, mongo } from "mongoose";

/** An uploaded file, or a link preview. Which messages contain it is known to svc-messages only. */
export interface MediaRow {
  _id: string;
  owner_id: string;
  thread_id: string;
  /**
   * - `uploading`: not all bytes have arrived
   * - `processing`: all bytes have arrived; the file is examined
   * - `ready`: it can be sent and downloaded
   * - `preview`: a link preview, with a picture if it has `content`; it is no file
   * - `refused`: it must not be used; `error` says why
   * - `removed`: it is gone for everyone; its objects are being deleted
   */
  state: "uploading" | "processing" | "ready" | "preview" | "refused" | "removed";
  name: string;
  /** Size of the upload, in bytes. */
  size: number;
  /** Size of the objects in the storage, in bytes. */
  stored_bytes: number;
  created_at: Date;
  /** When the clean-up asks whether a message contains the file. */
  check_at: Date;
  /** While `processing`: from when on an instance may begin to examine the file. */
  examine_at?: Date;
  /** Whether the file was a part of a new message, so that its uploader is not the only one who knows it. */
  is_sent?: boolean;
  error?: string;
  /** What the uploader says about a video or audio file, until it is examined. */
  stated?: Pick<Attachment, "width" | "height" | "thumbhash" | "seconds" | "wave">;
  /**
   * What follows from the content, when `ready`, with what was stated. A picture has it while `processing` as soon as
   * only its original is to be deleted.
   */
  content?: Omit<Attachment, "id" | "name">;
  /** What a link preview shows. */
  page?: Pick<LinkPreview, "url" | "title" | "site">;
}
export type ReadyRow = MediaRow & Required<Pick<MediaRow, "content">>;

export const USED_SPACE_INDEX = { owner_id: 1, state: 1, stored_bytes: -1, thread_id: 1 } as const;

const INDEXES: mongo.IndexDescription[] = [
  // What the clean-up checks next.
  { key: { check_at: 1 } },
  { key: { examine_at: 1 }, partialFilterExpression: { state: "processing" } },
  // Unfinished uploads of a user.
  { key: { owner_id: 1, state: 1, created_at: 1 } },
  // The files of a download of all files.
  { key: { owner_id: 1, _id: 1 } },
  { key: { thread_id: 1, _id: 1 } },
  // The space that a user takes up by thread is read from the index alone.
  { key: USED_SPACE_INDEX },
  // The sum is read from the index alone.
  { key: { stored_bytes: 1 } },
];

export type Media = Awaited<ReturnType<typeof createMedia>>;

/** Creates the indexes of the collection of media and returns the collection. */
export async function createMedia(connection: Connection) {
  const media = nativeCollection<MediaRow>(connection, "media");
  await media.createIndexes(INDEXES, UNLIMITED as object);
  return media;
}

/** Returns when the clean-up asks about a file that was uploaded, sent or found in a message now. */
export const nextCheck = (now = Date.now()): Date => new Date(now + UNSENT_KEEP_HOURS * 3_600_000);

/** Returns a ready file as messages contain it. */
export const toAttachment = ({ _id, name, content }: ReadyRow): Attachment => ({ id: _id, name, ...content });

/** Returns a link preview as messages contain it. */
export function toLinkPreview({ _id, page, content }: Omit<MediaRow, "name">): LinkPreview | null {
  if (!page) return null;
  const { width, height } = content ?? {};
  return { id: _id, ...page, ...(width !== undefined && height !== undefined && { picture: { width, height } }) };
}

/** Returns whether a row has bytes that the members of its thread may load, while a message contains it. */
export const isLoadable = (row: MediaRow | null): row is ReadyRow =>
  isReady(row) || (row?.state === "preview" && row.content !== undefined);

/** Returns whether a file can be sent and downloaded. */
export const isReady = (row: MediaRow | null | undefined): row is ReadyRow =>
  row?.state === "ready" && row.content !== undefined;
