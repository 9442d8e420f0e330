import { isThere } from "./isThere.ts";
import { isHidden } from "./privateMarks.ts";
import type { Composing, Thread } from "./thread.ts";

/** The edit of an own message in the composer. */
export type Edit = Extract<Composing, { kind: "edit" }>;

/** Returns what the composer of a thread is for. An edit ends when its message is deleted, on whichever device. */
export function composingOf(thread: Thread): Composing | null {
  const { composing } = thread;
  if (!composing) return null;
  if (composing.kind === "reply") return isHidden(thread, composing.seq) ? null : composing;
  return isThere(thread, composing) ? composing : null;
}
