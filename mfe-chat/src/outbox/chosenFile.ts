import type { QueuedFile } from "./queuedMessage.ts";

/** A file that the user has chosen for a message. */
export interface ChosenFile extends Omit<QueuedFile, "url" | "attachment"> {
  /** What is sent: a picture is made smaller after it was chosen. */
  content: Blob;
  /** Resolves with what is sent, or with `null` if it cannot be read. Null once that is known. */
  preparing: Promise<ChosenFile | null> | null;
  /** What the user must know about it. */
  note?: string;
}
