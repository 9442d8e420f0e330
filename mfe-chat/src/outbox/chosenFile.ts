import type { QueuedFile } from "./queuedMessage.ts";

/** A file that the user has chosen for a message. */
export interface ChosenFile extends Omit<QueuedFile, "original" | "url" | "attachment"> {
  /** What is sent: a picture is made smaller after it was chosen. */
  content: Blob;
  /** Resolves when the file is prepared; `null` from then on. */
  preparing: Promise<void> | null;
  /** What the user must know about it. */
  note?: string;
}
