import type { Message } from "@messageoh/contracts/messages";
import { isNewer, messageAt } from "../state/thread/segments.ts";
import { pendingState } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";

/** Returns a message that a search has found, in its newest known state: it may have changed since. */
export function currentState(found: Message, threads: readonly Thread[]): Message {
  const thread = threads.find(({ threadId }) => threadId === found.thread_id);
  if (!thread) return found;
  const known = messageAt(thread.segments, found.seq) ?? thread.early.find(({ seq }) => seq === found.seq);
  return pendingState(known && isNewer(known, found) ? known : found, thread);
}
