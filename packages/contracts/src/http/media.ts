import * as v from "valibot";
import { attachment, MEDIA_MAX_PX, MEDIA_MAX_SECONDS, WAVE_BARS } from "../rules/attachments.ts";
import { atMost, id, isoTime, seq, wholeNumber } from "../rules/fields.ts";
import { linkPreview, webLink } from "../rules/linkPreviews.ts";
import { endpoint } from "./endpoint.ts";

// Files of messages. A browser uploads a file for one thread, sends a message with its id, and both members download it
// as long as a message of the thread contains it. The message row is the only reference: what deletes the message, or
// ends the friendship, ends the access at the next request.

/**
 * Path of uploads, below the base of the API. They follow the tus protocol, version 1.0.0, with the extensions
 * `creation` and `termination` and parts of at most {@link UPLOAD_PART_BYTES}. `Upload-Metadata` contains
 * {@link uploadMetadata}. The last segment of an upload's URL is the id of the attachment.
 */
export const UPLOADS_PATH = "/media/uploads";

/** Characters of {@link WAVE_BARS} bytes in base64. */
const WAVE_CHARACTERS = 4 * Math.ceil(WAVE_BARS / 3);
/** A ThumbHash has at most 25 bytes. */
const THUMBHASH_MAX_CHARACTERS = 36;
const NO_WAVE = `A wave has ${WAVE_BARS} bytes in base64`;
const NO_THUMBHASH = "A ThumbHash has at most 25 bytes in base64";
const NO_LENGTH = "A length is a number of seconds, at most a day";
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const pixels = v.optional(wholeNumber(1, MEDIA_MAX_PX));

/** Schema of the metadata of a new upload, whose values are texts. */
export const uploadMetadata = v.object({
  /** Name of the file. The server removes path parts and characters that could deceive a reader. */
  name: v.pipe(v.string(), ...atMost(1_000, "The name of the file is too long")),
  thread_id: id,
  // The rest describes a video or audio file as the uploader's browser sees it; see `attachment`.
  seconds: v.optional(
    v.pipe(v.string(), v.toNumber(NO_LENGTH), v.gtValue(0, NO_LENGTH), v.maxValue(MEDIA_MAX_SECONDS, NO_LENGTH)),
  ),
  wave: v.optional(
    v.pipe(
      v.string(),
      ...atMost(WAVE_CHARACTERS, NO_WAVE),
      v.minLength(WAVE_CHARACTERS, NO_WAVE),
      v.regex(BASE64, NO_WAVE),
    ),
  ),
  width: pixels,
  height: pixels,
  thumbhash: v.optional(
    v.pipe(v.string(), ...atMost(THUMBHASH_MAX_CHARACTERS, NO_THUMBHASH), v.regex(BASE64, NO_THUMBHASH)),
  ),
});

const mediaParams = v.object({ media_id: id });

/** Schema of the state of an upload. Only a ready one can be sent. */
export const mediaState = v.union([
  v.object({ state: v.literal("uploading") }),
  /** All bytes have arrived; the file is examined, and a picture is re-encoded. */
  v.object({ state: v.literal("processing") }),
  v.object({ state: v.literal("ready"), attachment }),
  /** It cannot be sent. */
  v.object({ state: v.literal("refused"), error: v.string() }),
]);
export type MediaState = v.InferOutput<typeof mediaState>;

/** Returns the state of the user's own upload. 404 for those of others, and after it was removed. */
export const getMediaState = endpoint({
  method: "GET",
  path: "/media/:media_id",
  params: mediaParams,
  response: mediaState,
});

/**
 * Sends the bytes of an attachment: `thumb` (a picture of at most 320 pixels), `view` (a picture of at most 2048
 * pixels, or a video or audio file to play), `file` (a download). The gateway serves them, with ranges and 304. 404
 * unless a message of one of the user's threads contains the attachment, or the user has uploaded it and not sent it
 * yet.
 */
export const getMedia = endpoint({
  method: "GET",
  path: "/media/:media_id/:variant",
  params: v.object({ media_id: id, variant: v.picklist(["thumb", "view", "file"]) }),
  response: v.unknown(),
});

/**
 * Loads the page behind a link for a message that the user is writing, and keeps its preview like an upload. `null` if
 * the page cannot be loaded, for whatever reason, or has no title.
 */
export const createLinkPreview = endpoint({
  method: "POST",
  path: "/media/previews",
  body: v.object({ thread_id: id, url: webLink }),
  response: v.object({ preview: v.nullable(linkPreview) }),
});

/**
 * Sends the files of all messages in the user's threads as one ZIP file. The header {@link EXPORT_BYTES_HEADER}
 * contains the sum of their sizes, as far as it is known at the start. 429 while another download of the user runs.
 */
export const exportMedia = endpoint({
  method: "GET",
  path: "/media/export/:user_id",
  params: v.object({ user_id: id }),
  response: v.unknown(),
});

export const EXPORT_BYTES_HEADER = "x-media-bytes";

/** Files in the list of the largest ones. */
export const LARGEST_MAX = 20;

/** Schema of the space that the files take up that a user has sent. */
export const usedSpace = v.object({
  /** Sum in bytes by thread, the largest first. */
  threads: v.array(v.object({ thread_id: id, bytes: v.number(), files: v.number() })),
  /** The largest files that messages contain, the largest first, each with the number of its message. */
  largest: v.array(v.object({ thread_id: id, seq, attachment, sent_at: isoTime })),
});
export type UsedSpace = v.InferOutput<typeof usedSpace>;

/** Returns the space that the user's files take up. */
export const getUsedSpace = endpoint({
  method: "GET",
  path: "/media/storage/:user_id",
  params: v.object({ user_id: id }),
  response: usedSpace,
});
