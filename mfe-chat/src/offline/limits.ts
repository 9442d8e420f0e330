import type { Message } from "@messageoh/contracts/messages";

export const THREADS_MAX = 200;
export const MESSAGES_MAX = 50;
/** Limits a thread, and with {@link THREADS_MAX} the device to 12.5 MiB. A message has at most 8 kB. */
export const THREAD_BYTES_MAX = 64 * 1024;
const OVERHEAD_BYTES = 400;

/** Returns the newest of two lists of a thread's messages within the limits, ascending. The first list wins. */
export function newestMessages(seen: readonly Message[], stored: readonly Message[]): Message[] {
  const bySeq = new Map([...stored, ...seen].map((message) => [message.seq, message]));
  const newestFirst = [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, MESSAGES_MAX);
  let bytes = 0;
  const kept = newestFirst.filter(({ text }) => {
    // Strings are stored with two bytes per character.
    bytes += OVERHEAD_BYTES + 2 * text.length;
    return bytes <= THREAD_BYTES_MAX;
  });
  return kept.reverse();
}
