import type { Message } from "@messageoh/contracts/messages";
import { newestStates } from "../state/thread/segments.ts";

export const THREADS_MAX = 200;
export const MESSAGES_MAX = 50;
/** Limits a thread, and with {@link THREADS_MAX} the device to 12.5 MiB. A message has at most 8 kB. */
export const THREAD_BYTES_MAX = 64 * 1024;
/** Of a message, of each of its attachments, and of its link preview. */
const OVERHEAD_BYTES = 400;

/**
 * Returns the pinned and the newest of two lists of a thread's messages within the limits, ascending and in their
 * newest state.
 */
export function newestMessages(seen: readonly Message[], stored: readonly Message[]): Message[] {
  const pinnedFirst = [...newestStates([...seen, ...stored]).values()]
    .sort((a, b) => Number(b.pinned !== undefined) - Number(a.pinned !== undefined) || b.seq - a.seq)
    .slice(0, MESSAGES_MAX);
  let bytes = 0;
  const kept = pinnedFirst.filter(({ text, attachments = [], preview }) => {
    // Strings are stored with two bytes per character.
    bytes += OVERHEAD_BYTES + 2 * text.length;
    for (const { name } of attachments) bytes += OVERHEAD_BYTES + 2 * name.length;
    if (preview) bytes += OVERHEAD_BYTES + 2 * (preview.url.length + preview.title.length);
    return bytes <= THREAD_BYTES_MAX;
  });
  return kept.sort((a, b) => a.seq - b.seq);
}
