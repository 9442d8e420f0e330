import type { HiddenMessage } from "@messageoh/contracts/changes";
import { messageAt, withGapAt } from "./segments.ts";
import type { Thread } from "./thread.ts";
import { withView } from "./window.ts";

type HidingParts = Pick<Thread, "hidden" | "pending">;

/** Returns the numbers of the hidden messages, with the changes that the server has not confirmed. */
export function hiddenIn({ hidden, pending }: HidingParts): ReadonlySet<number> {
  const changes = pending.filter((change) => change.kind === "hide");
  return changes.length === 0 ? hidden : changed(hidden, changes);
}

/** Returns whether the user has hidden a message. */
export const isHidden = (thread: HidingParts, seq: number): boolean => hiddenIn(thread).has(seq);

/** Applies what the user has hidden or shown, in order. */
export const applyHidden = (thread: Thread, changes: readonly Hiding[]): Thread =>
  withHidden(thread, changed(thread.hidden, changes));

/**
 * Returns the thread with the hidden messages that the server lists.
 * @param later what the user has hidden or shown since the request of the list, which may be older
 */
export const syncHidden = (thread: Thread, listed: readonly number[], later: readonly Hiding[]): Thread =>
  withHidden(thread, changed(new Set(listed), later));

type Hiding = Pick<HiddenMessage, "seq" | "hidden">;

function changed(before: ReadonlySet<number>, changes: readonly Hiding[]): ReadonlySet<number> {
  const numbers = new Set(before);
  for (const { seq, hidden } of changes) {
    if (hidden) numbers.add(seq);
    else numbers.delete(seq);
  }
  return numbers;
}

function withHidden(thread: Thread, hidden: ReadonlySet<number>): Thread {
  const shownAgain = [...thread.hidden].filter((seq) => !hidden.has(seq));
  if (shownAgain.length === 0 && hidden.size === thread.hidden.size) return thread;
  return shownAgain.reduce(withMissing, { ...thread, hidden });
}

/** The server left the message out of the page that covers it: its number becomes a gap, which is fetched. */
function withMissing(thread: Thread, seq: number): Thread {
  const segments = messageAt(thread.segments, seq) ? thread.segments : withGapAt(thread.segments, seq);
  if (segments === thread.segments) return thread;
  return withView({ ...thread, segments, knownSeq: Math.min(thread.knownSeq, seq - 1) }, thread.viewSeq);
}
