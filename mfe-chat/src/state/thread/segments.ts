import type { Message } from "@messageoh/contracts/messages";

/** Range of sequence numbers, both inclusive. */
export interface Range {
  from: number;
  to: number;
}

/**
 * All messages in a range, ascending; at least one, unless the user has hidden the whole thread. A number in the range
 * without a message does not exist, or is hidden.
 */
export interface Segment extends Range {
  messages: readonly Message[];
}

/** Returns the segment that contains a number. */
export function segmentWith(segments: readonly Segment[], seq: number): Segment | undefined {
  return segments.find(({ from, to }) => from <= seq && seq <= to);
}

/** Returns the message with a number, if it is loaded. */
export function messageAt(segments: readonly Segment[], seq: number): Message | undefined {
  const segment = segmentWith(segments, seq);
  // Usually no number is missing, so the message is at its expected index; otherwise it is before it.
  for (let index = seq - (segment?.from ?? 0); segment && index >= 0; index -= 1) {
    const message = segment.messages[index];
    if (message && message.seq <= seq) return message.seq === seq ? message : undefined;
  }
  return undefined;
}

export const newestOf = (segments: readonly Segment[]): Message | undefined =>
  segments.findLast(({ messages }) => messages.length > 0)?.messages.at(-1);

/** Returns whether a state of a message is newer than another one of the same message. */
export const isNewer = (message: Message, known: Message): boolean => (message.change ?? 0) > (known.change ?? 0);

/** Returns the newest state of each message, by number. */
export function newestStates(messages: Iterable<Message>): Map<number, Message> {
  const states = new Map<number, Message>();
  for (const message of messages) {
    const known = states.get(message.seq);
    if (!known || isNewer(message, known)) states.set(message.seq, message);
  }
  return states;
}

/** Replaces the loaded ones among the messages if they are newer; all others are ignored. */
export function replaceMessages(segments: readonly Segment[], messages: readonly Message[]): readonly Segment[] {
  const changed = messages.filter((message) => {
    const known = messageAt(segments, message.seq);
    return known !== undefined && isNewer(message, known);
  });
  if (changed.length === 0) return segments;
  const states = newestStates(changed);
  return segments.map((segment) =>
    changed.some(({ seq }) => segment.from <= seq && seq <= segment.to)
      ? { ...segment, messages: segment.messages.map((message) => states.get(message.seq) ?? message) }
      : segment,
  );
}

/**
 * Inserts messages into segments that are ascending and neither overlap nor touch, and returns segments of the same
 * form. A known message keeps its identity unless it has changed, and so do the segments if nothing is new.
 * @param complete range that `messages` cover completely
 */
export function insertMessages(
  before: readonly Segment[],
  messages: readonly Message[],
  complete?: Range,
): readonly Segment[] {
  const segments = replaceMessages(before, messages);
  // Number 0 is the empty starting message of a thread, which is never shown.
  const fresh = newestStates(messages.filter(({ seq }) => seq > 0 && !messageAt(segments, seq)));
  const isCovered = !complete || segments.some(({ from, to }) => from <= complete.from && complete.to <= to);
  if (fresh.size === 0 && isCovered) return segments;

  const ranges: Segment[] = [...fresh.values()].map((message) => ({
    from: message.seq,
    to: message.seq,
    messages: [message],
  }));
  if (complete) ranges.push({ ...complete, messages: [] });
  const ascending = [...segments, ...ranges].sort((a, b) => a.from - b.from);
  const groups: Segment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const range of ascending) {
    const group = groups.at(-1);
    if (group && range.from <= end + 1) group.push(range);
    else groups.push([range]);
    end = Math.max(end, range.to);
  }
  return groups.map(join).filter(({ from, messages }) => messages.length > 0 || from === 1);
}

/** Returns the segments without a number that has no message: it may exist after all. */
export function withGapAt(segments: readonly Segment[], seq: number): readonly Segment[] {
  const held = segmentWith(segments, seq);
  if (!held) return segments;
  const { from, to, messages } = held;
  const parts = [
    { from, to: seq - 1, messages: messages.filter((message) => message.seq < seq) },
    { from: seq + 1, to, messages: messages.filter((message) => message.seq > seq) },
  ];
  return segments.flatMap((segment) => (segment === held ? parts.filter((part) => part.messages.length > 0) : segment));
}

function join(parts: readonly Segment[]): Segment {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  return {
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
    messages: parts.flatMap((part) => part.messages).sort((a, b) => a.seq - b.seq),
  };
}
