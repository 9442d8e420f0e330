import type { HiddenMessage, StarredMessage } from "@messageoh/contracts/changes";
import type { ThreadState } from "@messageoh/contracts/messages";
import { isOfMessage } from "../../pending/pendingChange.ts";
import { messageAt, withGapAt } from "./segments.ts";
import type { Thread } from "./thread.ts";
import { withView } from "./window.ts";

/** What a user does with a message for themselves only. */
type Mark = "hidden" | "starred";

/** A change of a mark, as the server confirms it. */
export type MarkChange = HiddenMessage | StarredMessage;

/** A change of a message; only changes of marks have `hidden` or `starred`. */
type Change = { seq: number } & Partial<Record<Mark, boolean>>;

type MarkedParts<Name extends Mark> = Pick<Thread, Name | "pending">;

/** Returns the numbers of the hidden messages, with the changes that the server has not confirmed. */
export const hiddenIn = ({ hidden, pending }: MarkedParts<"hidden">): ReadonlySet<number> =>
  changed(hidden, "hidden", pending.filter(isOfMessage));

/** Returns whether the user has hidden a message. */
export const isHidden = (thread: MarkedParts<"hidden">, seq: number): boolean => hiddenIn(thread).has(seq);

/** Returns the numbers of the starred messages, with the changes that the server has not confirmed. */
export const starredIn = ({ starred, pending }: MarkedParts<"starred">): ReadonlySet<number> =>
  changed(starred, "starred", pending.filter(isOfMessage));

/** Applies what the user has hidden, shown again, starred or unstarred, in order. */
export const applyMarks = (thread: Thread, changes: readonly MarkChange[]): Thread =>
  withMarks(thread, thread, changes);

/**
 * Returns the thread with the hidden and the starred messages that the server lists.
 * @param later what the user has done since the request of the list, which may be older
 */
export const syncMarks = (
  thread: Thread,
  { hidden = [], starred = [] }: Pick<ThreadState, Mark>,
  later: readonly MarkChange[],
): Thread => withMarks(thread, { hidden: new Set(hidden), starred: new Set(starred) }, later);

function changed(before: ReadonlySet<number>, mark: Mark, changes: readonly Change[]): ReadonlySet<number> {
  const ofMark = changes.filter((change) => change[mark] !== undefined);
  if (ofMark.length === 0) return before;
  const numbers = new Set(before);
  for (const change of ofMark) {
    if (change[mark]) numbers.add(change.seq);
    else numbers.delete(change.seq);
  }
  return numbers;
}

function withMarks(thread: Thread, before: Pick<Thread, Mark>, changes: readonly MarkChange[]): Thread {
  const hidden = changed(before.hidden, "hidden", changes);
  const starred = changed(before.starred, "starred", changes);
  if (isSame(hidden, thread.hidden) && isSame(starred, thread.starred)) return thread;
  const shownAgain = [...thread.hidden].filter((seq) => !hidden.has(seq));
  return shownAgain.reduce(withMissing, { ...thread, hidden, starred });
}

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean =>
  a.size === b.size && [...a].every((seq) => b.has(seq));

/** The server left the message out of the page that covers it: its number becomes a gap, which is fetched. */
function withMissing(thread: Thread, seq: number): Thread {
  const segments = messageAt(thread.segments, seq) ? thread.segments : withGapAt(thread.segments, seq);
  if (segments === thread.segments) return thread;
  return withView({ ...thread, segments, knownSeq: Math.min(thread.knownSeq, seq - 1) }, thread.viewSeq);
}
