import { ATTACHMENT_MAX_BYTES, ATTACHMENTS_MAX, UPLOADS_PER_DAY_BYTES } from "@messageoh/contracts/attachments";
import type { QueuedFile, QueuedMessage } from "./queuedMessage.ts";

/** A file that the user has chosen for a message. */
export interface ChosenFile extends Omit<QueuedFile, "url" | "attachment"> {
  /** What is sent: a picture is made smaller after it was chosen. */
  content: Blob;
  /** It is still made smaller. */
  isPreparing: boolean;
  /** What the user must know about it. */
  note?: string;
}

/** Marks that would turn the name around, so that its end looks like another type. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export const shownName = (name: string): string => name.replace(DIRECTION_MARKS, "") || "file";

/** Returns a name within a sentence that its direction cannot change. */
const quoted = (name: string) => `“\u2068${shownName(name)}\u2069”`;

const GIGABYTE = 1_000_000_000;

/**
 * Returns why files cannot be added to a message, or `null`.
 * @param chosen the files of the message so far
 * @param outbox all unsent messages, whose files are stored in this browser
 */
export function refusalOf(
  files: readonly Pick<File, "name" | "size">[],
  chosen: readonly ChosenFile[],
  outbox: readonly QueuedMessage[],
): string | null {
  if (chosen.length + files.length > ATTACHMENTS_MAX) {
    return `A message has at most ${ATTACHMENTS_MAX} files. Send the others in another message.`;
  }
  const large = files.find(({ size }) => size > ATTACHMENT_MAX_BYTES);
  if (large) {
    return `${quoted(large.name)} is larger than ${ATTACHMENT_MAX_BYTES / 1_000_000} MB, so it cannot be sent.`;
  }
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${quoted(empty.name)} is empty, so it cannot be sent.`;
  const waiting = outbox.flatMap((entry) => entry.files ?? []);
  const bytes = [...waiting, ...chosen].reduce((sum, file) => sum + file.bytes, 0);
  if (files.reduce((sum, { size }) => sum + size, bytes) > UPLOADS_PER_DAY_BYTES) {
    return `At most ${UPLOADS_PER_DAY_BYTES / GIGABYTE} GB can wait to be sent. Wait until some files are sent, or remove some.`;
  }
  return null;
}

export const unreadable = (name: string): string => `${quoted(name)} cannot be read, so it cannot be sent.`;
