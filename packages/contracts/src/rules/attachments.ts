import * as v from "valibot";
import { id, int, shortList } from "./fields.ts";
import { plainText } from "./formatting.ts";

/** Attachments of one message. */
export const ATTACHMENTS_MAX = 10;
/** Size of one attachment, in bytes. */
export const ATTACHMENT_MAX_BYTES = 100_000_000;
/** What one user can upload in a day, in bytes. */
export const UPLOADS_PER_DAY_BYTES = 1_000_000_000;
/** Time after which an upload that no message contains is removed, in hours. */
export const UNSENT_KEEP_HOURS = 24;
/** Part of an upload that one request carries, in bytes: the smallest part that S3 accepts. */
export const UPLOAD_PART_BYTES = 5 * 1024 * 1024;
/** Characters of the name of a file. A longer one is shortened. */
export const FILE_NAME_MAX_CHARACTERS = 200;
/** Longest edge of a video that its uploader can state, in pixels. */
export const MEDIA_MAX_PX = 20_000;
/** Length of a video or recording that its uploader can state, in seconds. */
export const MEDIA_MAX_SECONDS = 86_400;
/** Longest voice message, in seconds. */
export const VOICE_MAX_SECONDS = 900;
/** Amplitudes of a voice message, a byte each. */
export const WAVE_BARS = 64;

/** Schema of the ids of a new message's attachments. */
export const attachmentIds = shortList(id, ATTACHMENTS_MAX, `A message has at most ${ATTACHMENTS_MAX} attachments`);

/**
 * Schema of a file that a message carries. The kind decides how a client shows it. It follows from the content:
 * `picture` for one that the server has re-encoded, `video` and `audio` for what browsers may be able to play, `file`
 * for everything else.
 */
export const attachment = v.object({
  id,
  kind: v.picklist(["picture", "video", "audio", "file"]),
  name: v.string(),
  /** Size of what a download gets. */
  bytes: int,
  /** Media type of what a download gets. */
  type: v.string(),
  /** Size of a picture or a video in pixels. */
  width: v.optional(int),
  height: v.optional(int),
  /** ThumbHash of a picture, or of the first frames of a video, in base64: a blurred preview in about 25 bytes. */
  thumbhash: v.optional(v.string()),
  /** Length of a video or audio file. Like `wave` and all fields of a video, the uploader has stated it. */
  seconds: v.optional(v.number()),
  /** {@link WAVE_BARS} amplitudes of a voice message in base64. Other audio files have none. */
  wave: v.optional(v.string()),
});
export type Attachment = v.InferOutput<typeof attachment>;

type Named = Pick<Attachment, "kind" | "name" | "seconds" | "wave">;

const LABELS = { picture: "Photo", video: "Video", audio: "Audio", file: "File" } as const;

export const isVoice = ({ kind, wave }: Pick<Attachment, "kind" | "wave">): boolean =>
  kind === "audio" && wave !== undefined;

/** Returns a length of time as "0:12", "15:00" or "1:02:03". */
export function lengthLabel(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(whole % 60)}`;
}

/** Returns the name of a voice message, which has none of its own: "Voice message 0:12". */
export const voiceLabel = ({ seconds = 0 }: Named): string => `Voice message ${lengthLabel(seconds)}`;

/**
 * Returns the text of a message without a caption, for clients that know only texts: "Photo: beach.jpg" or "Voice
 * message 0:12", with one line per attachment.
 */
export const textWithoutCaption = (attachments: readonly Named[]): string =>
  attachments.map((file) => (isVoice(file) ? voiceLabel(file) : `${LABELS[file.kind]}: ${file.name}`)).join("\n");

/** Returns what the sender wrote beside the attachments, or the text of a message without any. */
export const captionOf = (message: { text: string; attachments?: readonly Named[] | undefined }): string =>
  message.attachments?.length && message.text === textWithoutCaption(message.attachments) ? "" : message.text;

/**
 * Returns one line about a message, for lists and notifications: what it says, or "Photo", "3 photos", "Voice message
 * 0:12".
 */
export function summaryOf(message: { text: string; attachments?: readonly Named[] | undefined }): string {
  const caption = captionOf(message);
  const [first, ...others] = message.attachments ?? [];
  if (caption !== "" || !first) return plainText(caption);
  if (others.length === 0 && isVoice(first)) return voiceLabel(first);
  const isSameKind = others.every(({ kind }) => kind === first.kind);
  const label = LABELS[isSameKind ? first.kind : "file"];
  if (others.length === 0) return label;
  return `${others.length + 1} ${label === "Audio" ? "audio files" : `${label.toLowerCase()}s`}`;
}
