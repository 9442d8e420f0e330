import { ATTACHMENT_MAX_BYTES, ATTACHMENTS_MAX, UPLOADS_PER_DAY_BYTES } from "@messageoh/contracts/attachments";

/** Marks that would turn the name around, so that its end looks like another type. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MEGABYTE = 1_000_000;

export const shownName = (name: string): string => name.replace(DIRECTION_MARKS, "") || "file";

/** Returns a name within a sentence that its direction cannot change. */
const quoted = (name: string) => `“\u2068${shownName(name)}\u2069”`;

const sumOf = (files: readonly { bytes: number }[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Returns why files cannot be added to a message, or `null`.
 * @param chosen the files of the message so far
 * @param waiting the files of unsent messages, which this browser stores
 */
export function refusalOf(
  files: readonly Pick<File, "name" | "size">[],
  chosen: readonly { bytes: number }[],
  waiting: readonly { bytes: number }[],
): string | null {
  if (chosen.length + files.length > ATTACHMENTS_MAX) {
    return `A message has at most ${ATTACHMENTS_MAX} files. Send the others in another message.`;
  }
  const large = files.find(({ size }) => size > ATTACHMENT_MAX_BYTES);
  if (large) return `${quoted(large.name)} is larger than ${ATTACHMENT_MAX_BYTES / MEGABYTE} MB, so it cannot be sent.`;
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${quoted(empty.name)} is empty, so it cannot be sent.`;
  const added = sumOf(files.map(({ size: bytes }) => ({ bytes })));
  if (sumOf(chosen) + sumOf(waiting) + added > UPLOADS_PER_DAY_BYTES) {
    return `At most ${UPLOADS_PER_DAY_BYTES / MEGABYTE} MB can wait to be sent. Wait until some files are sent, or remove some.`;
  }
  return null;
}

export const unreadable = (name: string): string => `${quoted(name)} cannot be read, so it cannot be sent.`;
