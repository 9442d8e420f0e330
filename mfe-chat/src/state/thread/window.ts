import { type Segment, segmentWith } from "./segments.ts";
import type { Thread } from "./thread.ts";

/** A window with fewer messages is extended before it is shown, if there are more. */
const ENOUGH_MESSAGES = 30;
const NO_SEGMENT: Segment = { from: 0, to: 0, messages: [] };

type WindowParts = Pick<Thread, "segments" | "viewSeq" | "knownSeq">;

/** Returns the segment that the thread shows; an empty one if none is loaded. */
export const windowOf = ({ segments, viewSeq, knownSeq }: WindowParts): Segment =>
  segmentWith(segments, viewSeq ?? knownSeq) ?? NO_SEGMENT;

/** Returns whether history continues before the window. */
export const hasOlder = (thread: WindowParts): boolean => windowOf(thread).from > 1;

/** Returns whether the window ends before the newest message, as after a jump. */
export const hasNewer = (thread: WindowParts): boolean => windowOf(thread).to < thread.knownSeq;

/** Returns whether enough messages are loaded to show the thread. */
export const isLoaded = (thread: Thread): boolean => thread.viewSeq !== null || isTailReady(thread);

/** Returns whether the newest window has enough messages to be shown without a request. */
export function isTailReady({ segments, knownSeq, lastSeq }: Thread): boolean {
  if (knownSeq === 0) return lastSeq === 0;
  const tail = segmentWith(segments, knownSeq);
  return tail !== undefined && tail.from <= Math.max(1, knownSeq - ENOUGH_MESSAGES + 1);
}

/** Returns whether messages up to the last number are missing, which the catch-up fetches. */
export const hasGap = (thread: Thread): boolean => thread.isTracked && thread.lastSeq > thread.knownSeq;

/** Returns the thread with the window that contains a number, or the newest one. */
export function withView(thread: Thread, seq: number | null): Thread {
  const window = seq === null ? undefined : segmentWith(thread.segments, seq);
  const isNewest = window === undefined || window.to >= thread.knownSeq;
  const viewSeq = isNewest ? null : seq;
  return viewSeq === thread.viewSeq ? thread : { ...thread, viewSeq };
}
