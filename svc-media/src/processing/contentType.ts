import { buffer } from "node:stream/consumers";
import { fileTypeFromBuffer } from "file-type";
import type { MediaRow } from "../media/media.model.ts";
import type { Storage } from "../storage/storage.ts";

/** Bytes at the start of a file that tell its type. */
const HEAD_BYTES = 65_536;
/** A larger picture is a file. */
export const PICTURE_MAX_BYTES = 30_000_000;

const PICTURES = ["image/jpeg", "image/png", "image/apng", "image/webp", "image/gif", "image/avif"];
/** Types that browsers may be able to play, with the type that they know. */
const PLAYABLE: Record<string, { kind: "video" | "audio"; type: string }> = {
  "video/mp4": { kind: "video", type: "video/mp4" },
  "video/x-m4v": { kind: "video", type: "video/mp4" },
  "video/quicktime": { kind: "video", type: "video/quicktime" },
  "video/webm": { kind: "video", type: "video/webm" },
  "video/ogg": { kind: "video", type: "video/ogg" },
  "audio/mpeg": { kind: "audio", type: "audio/mpeg" },
  "audio/mp4": { kind: "audio", type: "audio/mp4" },
  "audio/x-m4a": { kind: "audio", type: "audio/mp4" },
  "audio/aac": { kind: "audio", type: "audio/aac" },
  "audio/wav": { kind: "audio", type: "audio/wav" },
  "audio/flac": { kind: "audio", type: "audio/flac" },
  "audio/x-flac": { kind: "audio", type: "audio/flac" },
  "audio/ogg": { kind: "audio", type: "audio/ogg" },
};
/**
 * Whether a file contains only sound, by type: browsers record voice messages in containers of videos. Their heads name
 * the tracks: a codec of WebM, or a handler of MP4.
 */
const SOUND_ONLY: Record<string, (head: Buffer) => boolean> = {
  "video/webm": (head) => head.includes("A_OPUS") && !/V_(?:VP|AV1|MPEG)/.test(head.toString("latin1")),
  "video/mp4": (head) => head.includes("soun") && !head.includes("vide"),
};
/** The type of a download whose content is unknown, or could run in a browser. */
const ANY = "application/octet-stream";
const INERT = /^(application\/(?!.*(xml|html|script))|image\/(?!svg)|audio\/|video\/|font\/)[\w.+-]+$/;

export interface ContentType {
  /** `picture` if it may be one: only the attempt to decode it tells. */
  kind: "picture" | "video" | "audio" | "file";
  type: string;
}

/** Returns what a file is, by its first bytes. The name and the type that the client has stated do not matter. */
export async function readContentType(storage: Storage, key: string, size: MediaRow["size"]): Promise<ContentType> {
  const head = await buffer(await storage.read(key, HEAD_BYTES));
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.split(";")[0] ?? ANY;
  if (PICTURES.includes(mime) && size <= PICTURE_MAX_BYTES) return { kind: "picture", type: mime };
  const playable = PLAYABLE[mime];
  if (playable && SOUND_ONLY[playable.type]?.(head)) return { kind: "audio", type: `audio/${mime.split("/")[1]}` };
  return playable ?? { kind: "file", type: INERT.test(mime) ? mime : ANY };
}
