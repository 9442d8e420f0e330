import type { Message } from "@messageoh/contracts/messages";
import { messageAt, newestStates, replaceMessages, type Segment } from "./segments.ts";
import type { Thread } from "./thread.ts";

/** Largest number of changes of unloaded messages that a thread keeps. */
export const EARLY_MAX = 100;

/** Returns whether changes of messages are missing, which the catch-up fetches. */
export const hasChangeGap = ({ knownChange, lastChange }: Thread): boolean =>
  knownChange !== null && knownChange < lastChange;

/**
 * Applies changes of messages in any order; each message is in its newest state. A change of a message that is not
 * loaded is kept, because the message may be under way in an older state.
 * @param upTo all changes up to this number are among the messages, or applied before
 */
export function applyChanges(thread: Thread, messages: readonly Message[], upTo = 0): Thread {
  const segments = replaceMessages(thread.segments, messages);
  const unloaded = messages.filter(({ seq }) => !messageAt(segments, seq));
  const lastChange = Math.max(thread.lastChange, upTo, ...messages.map(({ change = 0 }) => change));
  const knownChange = thread.knownChange === null ? null : Math.max(thread.knownChange, upTo);
  const isKnown = lastChange === thread.lastChange && knownChange === thread.knownChange;
  if (segments === thread.segments && unloaded.length === 0 && isKnown) return advanceChange(thread, messages);
  return advanceChange({ ...withUnloaded(thread, unloaded), segments, lastChange, knownChange }, messages);
}

function withUnloaded(thread: Thread, unloaded: readonly Message[]): Thread {
  if (unloaded.length === 0) return thread;
  const states = [...newestStates([...thread.early, ...unloaded]).values()];
  states.sort((a, b) => (a.change ?? 0) - (b.change ?? 0));
  const early = states.slice(-EARLY_MAX);
  const left = states.at(-EARLY_MAX - 1)?.change ?? 0;
  return { ...thread, early, sinceChange: Math.max(thread.sinceChange, left) };
}

/** Returns the messages that arrive, each in the newest state that is known. */
export function withEarly({ early }: Thread, messages: readonly Message[]): readonly Message[] {
  if (early.length === 0) return messages;
  const states = newestStates([...messages, ...early]);
  return messages.map((message) => states.get(message.seq) ?? message);
}

/** Returns the thread with new segments, and without the kept changes of messages that these contain. */
export function withSegments(thread: Thread, segments: readonly Segment[]): Thread {
  const early = thread.early.filter(({ seq }) => !messageAt(segments, seq));
  return { ...thread, segments, early: early.length === thread.early.length ? thread.early : early };
}

/**
 * Moves the cursor over changes that arrived before an earlier one.
 * @param arrived messages that arrive now, maybe in a state that is already older than the known one
 */
export function advanceChange(thread: Thread, arrived: readonly Message[] = []): Thread {
  let known = thread.knownChange;
  if (known === null || known >= thread.lastChange) return thread;
  const all = [...thread.segments.flatMap(({ messages }) => messages), ...thread.early, ...arrived];
  const applied = new Set(all.map(({ change }) => change));
  while (applied.has(known + 1)) known += 1;
  return known === thread.knownChange ? thread : { ...thread, knownChange: known };
}
