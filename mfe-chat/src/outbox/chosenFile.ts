import type { QueuedFile } from "./queuedMessage.ts";

/** A file that the user has chosen for a message. */
export interface ChosenFile extends Omit<QueuedFile, "url" | "attachment"> {
  /** What is sent: a picture is made smaller after it was chosen. */
  content: Blob;
  /** Ends when it can be sent or was removed; `null` then. */
  preparing: Promise<void> | null;
  /** What the user must know about it. */
  note?: string;
}
