import type { Message } from "@messageoh/contracts/messages";

/** Messages with consecutive numbers, at least one. */
export type Segment = readonly Message[];

export const firstSeq = (segment: Segment) => segment[0]?.seq ?? 0;
export const lastSeqOf = (segment: Segment) => segment.at(-1)?.seq ?? 0;

/** The segment that holds a number. */
export function segmentWith(segments: readonly Segment[], seq: number): Segment | undefined {
  return segments.find((segment) => firstSeq(segment) <= seq && seq <= lastSeqOf(segment));
}

/** The message with a number, if it is held. */
export function messageAt(segments: readonly Segment[], seq: number): Message | undefined {
  const segment = segmentWith(segments, seq);
  return segment?.[seq - firstSeq(segment)];
}

export const newestOf = (segments: readonly Segment[]): Message | undefined => segments.at(-1)?.at(-1);

/**
 * Adds messages to segments that are ascending and neither overlap nor touch; the answer has the same form. A message
 * that is already held stays the same object, and so do the segments when nothing is new.
 */
export function insertMessages(segments: readonly Segment[], messages: readonly Message[]): readonly Segment[] {
  const fresh = new Map<number, Message>();
  for (const message of messages) {
    // 0 is a thread's starting message, which is never shown.
    if (message.seq > 0 && !segmentWith(segments, message.seq)) fresh.set(message.seq, message);
  }
  if (fresh.size === 0) return segments;

  const runs = [...segments, ...runsOf([...fresh.values()].sort((a, b) => a.seq - b.seq))];
  runs.sort((a, b) => firstSeq(a) - firstSeq(b));
  const merged: Segment[][] = [];
  for (const run of runs) {
    const touching = merged.at(-1);
    const before = touching?.at(-1);
    if (touching && before && lastSeqOf(before) + 1 === firstSeq(run)) touching.push(run);
    else merged.push([run]);
  }
  return merged.map((parts) => (parts.length === 1 && parts[0] ? parts[0] : parts.flat()));
}

function runsOf(ascending: readonly Message[]): Message[][] {
  const runs: Message[][] = [];
  for (const message of ascending) {
    const run = runs.at(-1);
    if (run && lastSeqOf(run) + 1 === message.seq) run.push(message);
    else runs.push([message]);
  }
  return runs;
}
