import type { Attachment } from "@messageoh/contracts/attachments";
import type { QueuedFile } from "../../outbox/queuedMessage.ts";

/** A file of a message as the screen shows it. */
export interface ShownAttachment extends Omit<Attachment, "id"> {
  /** Null until it is uploaded. */
  id: string | null;
  /** Key of its bytes in the file store of this browser, until the message is stored. */
  fileKey?: string;
}

/** Returns the id with which the server returns a file, or `null` if only this device has it or uploads it. */
export const storedIdOf = ({ id, fileKey }: ShownAttachment): string | null => (fileKey === undefined ? id : null);

/** The kind of a file follows from its content at the server, and until then from what the browser believes. */
const KINDS: readonly [RegExp, Attachment["kind"]][] = [
  [/^image\/(?:jpeg|png|webp|gif|avif)$/, "picture"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
];

/** Returns a file of an unsent message as the screen shows it. */
export function unsentAttachment({ key, original, url, attachment, ...file }: QueuedFile): ShownAttachment {
  const fileKey = original ?? key;
  if (attachment) return { ...attachment, fileKey };
  const kind = KINDS.find(([types]) => types.test(file.type))?.[1] ?? "file";
  return { id: null, kind, fileKey, ...file };
}
